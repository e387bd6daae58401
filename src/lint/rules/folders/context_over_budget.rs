use rayon::prelude::*;

use crate::lint::folders::{FolderContext, Folders};
use crate::lint::rules::{Findings, Project};
use crate::text::numbers::thousands;

pub fn check(folders: &Folders, project: &Project<'_>, found: &mut Findings<'_>) {
    let options = project.options;
    let tokenizer = options.tokenizer;
    let of_folder = |it: &FolderContext| {
        let file = &project.files[it.effective];
        let text = file.source.as_ref().map_or("", |source| source.text());
        *file.tokens.get_or_init(|| tokenizer.count(text))
    };
    let counts: Vec<usize> = folders.context.par_iter().map(of_folder).collect();
    let outside: usize = folders.outside.par_iter().map(|source| tokenizer.count(source.text())).sum();
    // The files that apply to the folder, each with the tokens of all files up to it.
    let mut open: Vec<(&FolderContext, usize)> = Vec::new();
    for (it, &own) in folders.context.iter().zip(&counts) {
        let at = project.location(&project.files[it.effective]);
        if own > options.context_tokens {
            let [own, most] = [own, options.context_tokens].map(thousands);
            found.at(at.clone(), format!("this file adds {own} tokens to every prompt; the limit is {most}"));
        }
        while open.pop_if(|(above, _)| !above.holds(&it.folder)).is_some() {}
        let above = open.last().map_or(outside, |(_, sum)| *sum);
        let sum = above + own;
        if above <= options.context_chain_tokens && sum > options.context_chain_tokens {
            let [sum, most] = [sum, options.context_chain_tokens].map(thousands);
            found.at(
                at,
                format!("with the files above it, this adds {sum} tokens to every prompt; the limit is {most}"),
            );
        }
        open.push((it, sum));
    }
}
