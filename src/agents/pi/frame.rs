//! The system message, as each release frames its parts.

use super::custom::Customs;
use super::tools::Tools;
use crate::agents::draft::Text;
use crate::agents::instructions::InstructionFile;
use crate::agents::skills::{Listing, Skill};
use crate::agents::visit::Visit;
use crate::prompt::{FileState, LayerKind, SectionSource, Slot};
use crate::text::{Origin, Traced};

/// What stands around the parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Frame {
    /// Headings, since the first release that is known.
    Headings,
    /// A tag around the context files.
    Context,
    /// A tag around each part.
    Sections,
}

impl Frame {
    fn of(visit: &Visit<'_>) -> Self {
        match () {
            () if visit.since("0.86.0") => Self::Sections,
            () if visit.since("0.84.0") => Self::Context,
            () => Self::Headings,
        }
    }
}

pub(super) fn write(
    visit: &mut Visit<'_>,
    customs: &Customs,
    context: &[InstructionFile],
    tools: &Tools,
    skills: &[Skill],
) {
    let frame = Frame::of(visit);
    base(visit, frame, customs.base.as_ref(), tools);
    addenda(visit, frame, &customs.addenda);
    if !context.is_empty() {
        files(visit, frame, context);
    }
    if let Some(reader) = tools.reader {
        list(visit, frame, skills, reader);
    }
    environment(visit, frame, customs.base.is_some());
}

fn base(visit: &mut Visit<'_>, frame: Frame, custom: Option<&Text>, tools: &Tools) {
    let text = custom.cloned().unwrap_or_else(|| Text::named("builtin", own(visit, frame, tools)));
    let path = text.name.clone();
    let layer = visit.draft.section("base", Slot::SystemBase, LayerKind::Base, text);
    stands(visit, custom, &path, layer);
}

/// The agent's own text: who it is, its tools, its rules and where its documentation is.
fn own(visit: &Visit<'_>, frame: Frame, tools: &Tools) -> Traced {
    let mut list = Traced::new();
    for name in &tools.shown {
        list.push_protocol(if list.is_empty() { "- " } else { "\n- " }).push_protocol(name).push_protocol(": ");
        list.push(&visit.own(&format!("tool_{name}")));
    }
    if list.is_empty() {
        list.push_protocol("(none)");
    }
    list.push_protocol("\n\n").push(&visit.own("tools_note"));
    let mut rules = Traced::new();
    for id in tools.rules(visit) {
        rules.push_protocol(if rules.is_empty() { "- " } else { "\n- " }).push(&visit.own(&id));
    }
    let mut text = visit.own("identity");
    for (tag, heading, part) in
        [("tools", "Available tools:\n", &list), ("rules", "Guidelines:\n", &rules), ("docs", "", &visit.own("docs"))]
    {
        text.push_protocol("\n\n");
        match frame {
            Frame::Sections => text.push(&tagged(tag, part)),
            Frame::Context | Frame::Headings => text.push_protocol(heading).push(part),
        };
    }
    text
}

fn tagged(tag: &str, part: &Traced) -> Traced {
    let mut text = Traced::protocol(&format!("<{tag}>\n"));
    text.push(part).push_protocol(&format!("\n</{tag}>"));
    text
}

fn addenda(visit: &mut Visit<'_>, frame: Frame, addenda: &[Text]) {
    for (index, text) in addenda.iter().enumerate() {
        let is_first = index == 0;
        visit.draft.separate(if is_first && frame == Frame::Sections { "\n\n<addendum>\n" } else { "\n\n" });
        let layer = visit.draft.section("append", Slot::SystemAppend, LayerKind::Append, text.clone());
        stands(visit, Some(text), &text.name, layer);
    }
    if !addenda.is_empty() && frame == Frame::Sections {
        visit.draft.separate("\n</addendum>");
    }
}

/// Records the file that a text is from. A file that a flag names has no state.
fn stands(visit: &mut Visit<'_>, text: Option<&Text>, path: &str, layer: usize) {
    let is_looked_for = ["/SYSTEM.md", "/APPEND_SYSTEM.md"].iter().any(|name| path.ends_with(name));
    let is_file = text.is_some_and(|text| text.text.segments().any(|segment| segment.origin.span().is_some()));
    if is_file && is_looked_for && !visit.has_state(path) {
        visit.stands(path, FileState::Loaded, layer);
    }
}

fn files(visit: &mut Visit<'_>, frame: Frame, context: &[InstructionFile]) {
    visit.draft.separate(match frame {
        Frame::Sections => "\n\n<project_context>\n",
        Frame::Context => "\n\n<project_context>\n\n",
        Frame::Headings => "\n\n# Project Context\n\n",
    });
    let intro = visit.own("context_intro");
    visit.draft.between(&intro);
    for file in context {
        visit.draft.separate("\n\n");
        let [start, middle, end] = match frame {
            Frame::Headings => ["## ", "\n\n", ""],
            Frame::Context | Frame::Sections => ["<project_instructions path=\"", "\">\n", "\n</project_instructions>"],
        };
        let mut framed = Traced::protocol(start);
        framed.push_str(&file.path, Origin::Derived(file.text.slice(0..0)));
        framed.push_protocol(middle).push(&Traced::raw(&file.text)).push_protocol(end);
        visit.context(&file.path, Slot::SystemContext, framed, FileState::Loaded);
    }
    visit.draft.separate(match frame {
        Frame::Sections => "\n</project_context>",
        Frame::Context => "\n\n</project_context>\n",
        Frame::Headings => "\n\n",
    });
}

fn list(visit: &mut Visit<'_>, frame: Frame, skills: &[Skill], reader: &str) {
    let intro = visit.own(&format!("skills_intro_{reader}"));
    let mut head = Traced::protocol(if frame == Frame::Sections { "<skills>\n" } else { "" });
    head.push(&intro);
    let Some(mut listing) = Listing::new(skills, head) else { return };
    if frame == Frame::Sections {
        listing.tail.push_protocol("\n</skills>");
    }
    visit.draft.separate("\n\n");
    let layers = visit.draft.listing(&listing);
    for ((skill, _), layer) in listing.skills.iter().zip(layers) {
        visit.stands(&skill.path, FileState::Listed, layer);
    }
}

fn environment(visit: &mut Visit<'_>, frame: Frame, is_custom: bool) {
    let cwd = visit.request.cwd.clone();
    let cwd = if visit.since("0.73.1") { cwd.replace('\\', "/") } else { cwd };
    let cwd = Traced::of(&cwd, Origin::Argument("cwd".into()));
    let text = match frame {
        Frame::Sections => {
            visit.draft.separate("\n\n");
            tagged("cwd", &cwd)
        }
        Frame::Context | Frame::Headings => {
            let mut text = Traced::new();
            if frame == Frame::Headings {
                let is_day = visit.since("0.73.1");
                text.push_protocol(if is_day { "\nCurrent date: " } else { "\nCurrent date and time: " });
                text.push(&visit.own("date"));
            }
            text.push_protocol("\nCurrent working directory: ").push(&cwd);
            if frame == Frame::Context && is_custom {
                text.push_protocol("\n");
            }
            text
        }
    };
    let text = Text { text, name: "working folder".to_string(), source: SectionSource::None };
    visit.draft.section("environment", Slot::SystemEnvironment, LayerKind::Environment, text);
}
