use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use strum::VariantArray;

use crate::diagnostic::{Diagnostic, Problem};
use crate::palette::capability::{Pattern, Reach};
use crate::palette::{self, PaletteRequest, Primary};
use crate::prompt::{Declared, Grant, tool_text};
use crate::protocol::ToolRules;
use crate::store::{ItemKind, Tiers};
use crate::text::Source;
use crate::tool::{NoSchema, read_tool};
use crate::value::{Value, map};
use crate::yaml::Node;

use super::Project;

/// A capability that brings `rye/execute` for tools and no tool.
const NO_TOOL: &str = "rye.execute.tool.?";

/// What one capability brings into a palette on its own, without regard to the budget.
#[derive(Debug, Default, Clone)]
pub(crate) struct Granted {
    /// The characters of its tools, primaries included.
    pub characters: usize,
    /// What is odd about it; without a place where that is the capability.
    pub diagnostics: Vec<Diagnostic>,
}

/// What capabilities bring, each looked up once however many directives grant it.
#[derive(Debug, Default)]
pub(super) struct Grants(Mutex<HashMap<String, Arc<Granted>>>);

impl Grants {
    pub fn of(&self, capability: &str, project: &Project<'_>, rules: ToolRules) -> Arc<Granted> {
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(granted) = known().get(capability) {
            return Arc::clone(granted);
        }
        // The lock is free meanwhile; two that ask at once look it up twice.
        let granted = match own_tool(capability, project) {
            Some((id, source)) => one_tool(id, source, (*self.of(NO_TOOL, project, rules)).clone(), project.tiers),
            None => palette_of(capability, project.tiers, rules),
        };
        let granted = Arc::new(granted);
        known().insert(capability.to_string(), Arc::clone(&granted));
        granted
    }
}

/// The one tool of the project that a capability names, and its file. A project may have thousands, and for none of
/// them a palette has to be made.
fn own_tool<'p>(capability: &str, project: &'p Project<'_>) -> Option<(String, &'p Arc<Source>)> {
    let reach = Reach::of(capability, true)?;
    let Reach { actions: [Primary::Execute], kind: Some(ItemKind::Tool), pattern: Pattern::Exact(id) } = reach else {
        return None;
    };
    let is_primary = Primary::VARIANTS.iter().any(|primary| primary.tool_id() == id);
    let file = project.find(ItemKind::Tool, &id).filter(|_| !is_primary)?;
    Some((id, file.source.as_ref()?))
}

/// What a tool brings besides the primary.
fn one_tool(id: String, source: &Arc<Source>, mut granted: Granted, tiers: &Tiers) -> Granted {
    granted.diagnostics.retain(|found| !matches!(found.problem, Problem::PatternMatchesNothing { .. }));
    match tiers.parsed(&[source], || read_tool(source)) {
        Ok(tool) => granted.characters += tool_text(&tool.schema, &tool.description).chars().count(),
        Err(NoSchema { reason, at }) => {
            let at = at.unwrap_or_else(|| source.span(0..0));
            granted.diagnostics.push(Diagnostic::at(Problem::ToolWithoutSchema { id, reason }, at));
        }
    }
    granted
}

fn palette_of(capability: &str, tiers: &Tiers, rules: ToolRules) -> Granted {
    let by = Declared { by: capability.to_string(), span: None };
    let grants = [Grant { capability: capability.to_string(), by }];
    let endless = Node::of(&Value::Map(map([("max_tokens", Value::from(i64::MAX))])));
    let request = PaletteRequest { grants: &grants, declared: true, outputs: None, preload: Some(&endless) };
    match palette::build(&request, tiers, rules) {
        Ok(palette) => Granted {
            characters: palette.tools.iter().map(|tool| tool.text().chars().count()).sum(),
            diagnostics: palette.diagnostics,
        },
        // What cannot be read is said where it is read.
        Err(_) => Granted::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::Options;
    use crate::lint::testing::Example;
    use crate::lint::testing::tiers;
    use crate::protocol::Protocols;

    #[test]
    fn a_tool_brings_what_its_palette_holds() {
        let files = "=== .ai/tools/a/b.yaml\ndescription: D\nparameters:\n  - name: n\n\
                     === .ai/tools/a/c.py\nprint()\n";
        let (tiers, options) = (tiers(Example(files)), Options::default());
        let protocol = Protocols::default().get("rye-3").unwrap();
        let project = Project::read(&tiers, &protocol, &options);
        for capability in ["rye.execute.tool.a.b", "rye.execute.tool.a.c"] {
            let quick = project.granted(capability).unwrap();
            let whole = palette_of(capability, &tiers, protocol.tools.unwrap());
            assert!(own_tool(capability, &project).is_some());
            assert_eq!((quick.characters, &quick.diagnostics), (whole.characters, &whole.diagnostics));
        }
        for other in ["rye.execute.tool.a.*", "rye.execute.tool.rye.execute", "rye.execute.tool.a.d", "rye.*"] {
            assert!(own_tool(other, &project).is_none(), "{other}");
        }
    }
}
