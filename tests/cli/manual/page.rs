//! The layout of a page: the flags as clap_mangen formats them, in the order of the definitions, and other sections.

use clap::{Arg, Command};
use clap_mangen::Man;
use clap_mangen::roff::{Inline, Roff, bold, roman};

use super::prose;

/// The heading of arguments without a flag.
const ARGUMENTS: &str = "Arguments";

/// The section of manual pages for commands.
const SECTION: &str = "1";

/// Defines apostrophes that readers can copy, whichever troff formats the page.
const QUOTES: &str = ".ie \\n(.g .ds Aq \\(aq\n.el .ds Aq '\n";

/// The name of a page: `rye-render-chain`.
fn title(command: &Command) -> &str {
    command.get_display_name().unwrap_or_else(|| command.get_name())
}

pub fn file_name(command: &Command) -> String {
    format!("{}.{SECTION}", title(command))
}

/// The page of a command; `whole` is the program.
pub fn page(command: &Command, whole: &Command) -> String {
    let described = described(command.clone());
    let synopsis = synopsis(&mut command.clone());
    let man = Man::new(described.clone().override_usage(synopsis));
    let mut out = Vec::new();
    // Writing to memory cannot fail.
    man.render_name_section(&mut out).unwrap();
    man.render_synopsis_section(&mut out).unwrap();
    let mut page = format!("{}{}", head(command), text(out));
    let help = command.get_after_long_help().or(command.get_after_help()).map(ToString::to_string).unwrap_or_default();
    page.push_str(&description(command, &help));
    if command.has_subcommands() {
        let mut out = Vec::new();
        man.render_subcommands_section(&mut out).unwrap();
        page.push_str(&text(out).replacen(".SH SUBCOMMANDS", ".SH COMMANDS", 1));
    }
    for heading in headings(&described) {
        page.push_str(&section_of(&described, &heading));
    }
    page.push_str(&examples(prose::examples(command.get_name()).unwrap_or(&help)));
    for (heading, entries) in prose::ends(command.get_name()) {
        page.push_str(&entries_of(heading, entries));
    }
    page.push_str(&see_also(command, whole));
    // Every section repeats `QUOTES`; keep only one.
    format!("{QUOTES}{}", page.replace(QUOTES, ""))
}

/// The title, without a date, which would change with each release, and without hyphenation, which would break searches
/// for names.
fn head(command: &Command) -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!(
        ".TH \"{}\" \"{SECTION}\" \"\" \"rye-render {version}\" \"rye-render manual\"\n.nh\n.ad l\n",
        title(command)
    )
}

fn text(out: Vec<u8>) -> String {
    String::from_utf8(out).unwrap()
}

/// The command with every flag described below a heading, including those that the short help omits.
fn described(command: Command) -> Command {
    command.mut_args(|arg| {
        let is_bare = arg.get_help_heading().is_none();
        let arg = match is_bare {
            true if arg.is_positional() => arg.help_heading(ARGUMENTS),
            true => arg.help_heading("Options"),
            false => arg,
        };
        arg.hide_short_help(false)
    })
}

/// The usage from the help, one line per form.
fn synopsis(command: &mut Command) -> String {
    let usage = command.render_usage().to_string();
    usage.strip_prefix("Usage: ").unwrap_or(&usage).to_string()
}

/// The headings in the order of the page, from input to output.
fn headings(command: &Command) -> Vec<String> {
    let mut headings: Vec<String> = Vec::new();
    for heading in command.get_arguments().filter(|arg| !arg.is_hide_set()).filter_map(Arg::get_help_heading) {
        if !headings.iter().any(|known| known == heading) {
            headings.push(heading.to_string());
        }
    }
    headings.sort_by_key(|heading| match heading.as_str() {
        ARGUMENTS => 0,
        "Output" => 2,
        "Options" => 3,
        _ => 1,
    });
    headings
}

/// What clap_mangen writes about the arguments below one heading.
fn section_of(command: &Command, heading: &str) -> String {
    let alone = command.clone().mut_args(|arg| {
        let is_elsewhere = arg.get_help_heading() != Some(heading);
        let is_hidden = arg.is_hide_set();
        arg.hide(is_elsewhere || is_hidden)
    });
    let mut out = Vec::new();
    Man::new(alone).render_options_section(&mut out).unwrap();
    text(out)
}

/// The purpose of the command: its line in the help, and the paragraphs that are not about flags or examples.
fn description(command: &Command, help: &str) -> String {
    let mut roff = Roff::new();
    roff.control("SH", ["DESCRIPTION"]);
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    roff.text([roman(format!("{}.", about.trim_end_matches('.')))]);
    let further = help.split("\n\n").filter(|paragraph| !is_examples(paragraph) && !paragraph.starts_with('`'));
    let further = further.map(|paragraph| paragraph.replace('\n', " "));
    for paragraph in prose::paragraphs(command.get_name()).iter().map(ToString::to_string).chain(further) {
        roff.control("PP", []);
        roff.text([roman(paragraph)]);
    }
    roff.to_roff()
}

fn is_examples(paragraph: &str) -> bool {
    paragraph.lines().skip(1).any(|line| line.starts_with("  "))
}

/// The examples of a help text: each command, and its effect below.
fn examples(help: &str) -> String {
    let mut roff = Roff::new();
    roff.control("SH", ["EXAMPLES"]);
    for line in help.split("\n\n").filter(|paragraph| is_examples(paragraph)).flat_map(str::lines) {
        let Some(example) = line.strip_prefix("  ") else { continue };
        let (typed, about) = example.split_once("  ").unwrap_or((example, ""));
        roff.control("TP", []);
        roff.text([bold(typed.trim_end())]);
        roff.text(Some(about.trim()).filter(|about| !about.is_empty()).map(roman).into_iter().collect::<Vec<_>>());
    }
    roff.to_roff()
}

fn entries_of(heading: &str, entries: &[(&str, &str)]) -> String {
    let mut roff = Roff::new();
    roff.control("SH", [heading]);
    for (name, about) in entries {
        roff.control("TP", []);
        roff.text([bold(*name)]);
        roff.text([roman(*about)]);
    }
    roff.to_roff()
}

/// The other pages.
fn see_also(command: &Command, whole: &Command) -> String {
    let others = std::iter::once(whole).chain(whole.get_subcommands()).filter(|other| title(other) != title(command));
    let mut named: Vec<Inline> = Vec::new();
    for other in others {
        if !named.is_empty() {
            named.push(roman(", "));
        }
        named.extend([bold(title(other)), roman(format!("({SECTION})"))]);
    }
    let mut roff = Roff::new();
    roff.control("SH", ["SEE ALSO"]);
    roff.text(named);
    roff.to_roff()
}
