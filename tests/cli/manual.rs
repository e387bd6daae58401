//! The manual pages in `docs/man`, generated from the definitions of the commands.

mod page;
mod prose;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use clap::CommandFactory;
use rye_render::internals::cli::arguments::Arguments;

/// The pages by file name.
fn pages() -> Vec<(String, String)> {
    let mut whole = Arguments::command();
    whole.build();
    let pages = std::iter::once(&whole).chain(whole.get_subcommands());
    pages.map(|command| (page::file_name(command), page::page(command, &whole))).collect()
}

/// `UPDATE_MANUAL=1 cargo test manual` rewrites the pages.
#[test]
fn checked_in_pages_are_current() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/man");
    let pages = pages();
    if std::env::var_os("UPDATE_MANUAL").is_some() {
        fs::create_dir_all(&folder).unwrap();
        for (name, page) in &pages {
            fs::write(folder.join(name), page).unwrap();
        }
    }
    let there: BTreeSet<_> = fs::read_dir(&folder).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(there, pages.iter().map(|(name, _)| name.into()).collect(), "run UPDATE_MANUAL=1 cargo test manual");
    for (name, page) in &pages {
        let written = fs::read_to_string(folder.join(name)).unwrap();
        assert!(written == *page, "{name}: run UPDATE_MANUAL=1 cargo test manual");
    }
}

#[test]
fn every_flag_is_described_and_every_page_has_examples() {
    let mut whole = Arguments::command();
    whole.build();
    for command in whole.get_subcommands() {
        let page = page::page(command, &whole);
        let name = command.get_name();
        for section in [".SH NAME", ".SH SYNOPSIS", ".SH DESCRIPTION", ".SH EXAMPLES", ".SH \"EXIT STATUS\""] {
            assert!(page.contains(section), "{name}: {section}");
        }
        // The text below a flag starts with a capital letter, unlike a roff request.
        let mut lines = page.lines();
        while let Some(line) = lines.next() {
            if line.starts_with("\\fB\\-\\-") {
                let help = lines.next().unwrap_or_default();
                assert!(help.starts_with(char::is_uppercase), "{name}: {line} is followed by {help:?}");
            }
        }
    }
}
