//! The endings of files that may be imported.

/// Separated by spaces.
const TEXT: &str = "md txt text json yaml yml toml xml csv html htm css scss sass less js ts tsx jsx mjs cjs mts cts py \
                    pyi pyw rb erb rake go rs java kt kts scala c cpp cc cxx h hpp hxx cs swift sh bash zsh fish ps1 bat \
                    cmd env ini cfg conf config properties sql graphql gql proto vue svelte astro ejs hbs pug jade php pl \
                    pm lua r dart ex exs erl hrl clj cljs cljc edn hs lhs elm ml mli f f90 f95 for cmake make makefile \
                    gradle sbt rst adoc asciidoc org tex latex lock log diff patch";

/// Whether a path has one of these endings, or none. A dot at the start of a name begins no ending.
pub(super) fn is_text(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    match name.rsplit_once('.') {
        None | Some(("", _)) => true,
        Some((_, ending)) => TEXT.split(' ').any(|known| known.eq_ignore_ascii_case(ending)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_are_those_of_text() {
        for name in ["a.md", "a.R", "Makefile", ".env", "a.b/c", "x.local.txt", "..a.F90"] {
            assert!(is_text(&format!("/d/{name}")), "{name}");
        }
        for name in ["a.mdx", "a.", ".env.local", "a.b.png", "a.jsonc"] {
            assert!(!is_text(&format!("/d/{name}")), "{name}");
        }
    }
}
