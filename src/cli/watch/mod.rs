//! `--watch`: a command that runs again whenever something changes that its result depends on.

mod eyes;

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use owo_colors::OwoColorize;

use super::Ended;
use super::arguments::Color;
use super::output::{self, Output};
use super::report::Report;
use super::screen;
use super::terminal::{is_dumb, theme, variable};
use crate::layout::count;
use crate::looked::{self, Change, How, Looks};
use crate::text::visible::visible_line;
use crate::theme::Theme;
use eyes::Eyes;

/// How long changes may stay unseen where the system reports none: on shares of other machines, in mounts of containers.
const LONGEST: Duration = Duration::from_secs(2);

/// The same where it is known to report none at all.
const UNREPORTED: Duration = Duration::from_millis(500);

/// Who looks for nothing rests so many times as long before the next look, where nothing is reported.
const REST: u32 = 20;

/// The same where a change is reported, which may be one of what nothing depends on, and one of many: looking takes at
/// most a quarter of the time.
const SHORT_REST: u32 = 3;

/// How a command runs of which a result may be drawn again.
pub(super) struct Runs<'a> {
    /// `--watch`: again and again.
    pub is_watched: bool,
    /// `-o`.
    pub output: Option<&'a Path>,
    /// Whether programs read the result.
    pub is_machine: bool,
    /// `--color`.
    pub color: Color,
}

/// Runs a command once, or until nobody reads its result any more. An interrupt ends the program.
pub(super) fn run(runs: &Runs<'_>, mut once: impl FnMut(Report) -> Ended) -> Ended {
    // A terminal may have another width each time.
    let mut once = || once(Report::new(runs.is_machine, runs.color));
    if runs.is_watched { Watch::new(runs).run(once) } else { once() }
}

/// A command that runs again and again.
struct Watch {
    output: Output,
    is_on_screen: bool,
    /// How words are shown on standard error, if there is someone who reads them.
    words: Option<Theme>,
}

impl Watch {
    fn new(runs: &Runs<'_>) -> Self {
        let output = Output::new(runs.output);
        let is_on_screen = output.is_terminal() && !is_dumb(variable);
        let is_read = io::stderr().is_terminal() && !runs.is_machine;
        Self { is_on_screen, words: is_read.then(|| theme(runs.color, true, variable)), output }
    }

    fn run(&self, mut run: impl FnMut() -> Ended) -> Ended {
        let mut eyes = Eyes::open(self.output == Output::Standard);
        let mut news = None;
        loop {
            looked::begin(self.output.file());
            if self.is_on_screen {
                screen::grow_old();
            }
            let ended = run();
            // A result may be empty.
            screen::make_way();
            let mut looks = looked::taken();
            if looks.is_empty() || self.is_left(&eyes) {
                return ended;
            }
            eyes.follow(&looks);
            self.say(news.as_deref(), &looks, &eyes);
            news = self.next(&mut looks, &eyes);
            if news.is_none() {
                return ended;
            }
        }
    }

    /// Waits until something changes, and says what; nothing where the reader went away.
    fn next(&self, looks: &mut Looks, eyes: &Eyes) -> Option<String> {
        while !self.is_left(eyes) {
            let mut spent = Duration::ZERO;
            // It may have changed while the command ran.
            if change(looks, &mut spent).is_some() {
                eyes.settle();
                if let Some(change) = change(looks, &mut spent) {
                    return Some(said(change));
                }
            }
            let longest = if eyes.fault().is_some() { UNREPORTED } else { LONGEST };
            eyes.wait(spent * SHORT_REST, longest.max(spent * REST));
        }
        None
    }

    fn is_left(&self, eyes: &Eyes) -> bool {
        eyes.is_left() || output::is_reader_gone()
    }

    /// What is watched, and why it was drawn again.
    fn say(&self, news: Option<&str>, looks: &Looks, eyes: &Eyes) {
        let Some(theme) = self.words else { return };
        let mut line = news.map(|news| format!("{news}; ")).unwrap_or_default();
        line.push_str(&format!("watching {}; Ctrl-C ends", count(looks.files(), "file")));
        if let Some(fault) = eyes.fault() {
            line.push_str(&format!("\n{}", not_reported(fault)));
        }
        // There is nobody left to tell when standard error is closed.
        let _ = writeln!(io::stderr().lock(), "{}", line.style(theme.dim()));
    }
}

/// What changed, and how long it took to see that.
fn change<'l>(looks: &'l mut Looks, spent: &mut Duration) -> Option<Change<'l>> {
    let begun = Instant::now();
    let change = looks.change();
    *spent += begun.elapsed();
    change
}

/// What changed, as it is called from the working folder.
fn said(Change { path, how }: Change<'_>) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let path = path.strip_prefix(&here).map_or_else(|_| path.to_path_buf(), PathBuf::from);
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path.as_path() };
    let path = path.to_string_lossy();
    let path = visible_line(&path);
    match how {
        How::Appeared => format!("{path} is new"),
        How::Vanished => format!("{path} is gone"),
        How::Changed => format!("{path} changed"),
    }
}

/// Why changes are found later than they could be, and what helps.
fn not_reported(fault: &notify::Error) -> String {
    let why = match &fault.kind {
        notify::ErrorKind::MaxFilesWatch => {
            "the limit for watched folders is reached (sysctl fs.inotify.max_user_watches raises it)".to_string()
        }
        _ => format!("the system does not report changes ({})", visible_line(&fault.to_string())),
    };
    format!("{why}, so files are looked at twice a second")
}

#[cfg(test)]
mod tests;
