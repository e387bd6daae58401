use std::sync::Arc;
use strum::VariantArray;

use crate::diagnostic::{Diagnostic, Problem};
use crate::palette::capability::{CapabilityPattern, Reach};
use crate::palette::{self, PaletteRequest, Primary};
use crate::prompt::{Declared, Grant, tool_text};
use crate::protocol::ToolRules;
use crate::store::{ItemKind, Tiers};
use crate::text::Source;
use crate::tool::{NoSchema, read_tool};
use crate::value::{Value, map};
use crate::yaml::YamlNode;

use super::Project;

const NO_TOOL: &str = "rye.execute.tool.?";

/// The tools that one capability grants, without regard to the budget.
#[derive(Debug, Default, Clone)]
pub(crate) struct Granted {
    pub characters: usize,
    /// Problems; without a place if the capability itself is the problem.
    pub diagnostics: Vec<Diagnostic>,
}

/// The tools that a capability grants, looked up once however many directives declare it.
pub(super) fn granted(capability: &str, project: &Project<'_>, rules: ToolRules) -> Arc<Granted> {
    project.cached.granted.get_or_set(capability.to_string(), || {
        Arc::new(match own_tool(capability, project) {
            Some((id, source)) => one_tool(id, source, (*granted(NO_TOOL, project, rules)).clone(), project.tiers),
            None => palette_of(capability, project.tiers, rules),
        })
    })
}

/// The tool of the project that a capability names exactly. A project may have thousands, and this avoids a palette
/// for each.
fn own_tool<'p>(capability: &str, project: &'p Project<'_>) -> Option<(String, &'p Arc<Source>)> {
    let reach = Reach::of(capability, true)?;
    let Reach { actions: [Primary::Execute], kind: Some(ItemKind::Tool), pattern: CapabilityPattern::Exact(id) } =
        reach
    else {
        return None;
    };
    let is_primary = Primary::VARIANTS.iter().any(|primary| primary.tool_id() == id);
    let file = project.find(ItemKind::Tool, &id).filter(|_| !is_primary)?;
    Some((id, file.source.as_ref()?))
}

/// Adds a tool to the primary that runs it.
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
    let endless = YamlNode::of(&Value::Map(map([("max_tokens", Value::from(i64::MAX))])));
    let request = PaletteRequest { grants: &grants, declared: true, outputs: None, preload: Some(&endless) };
    match palette::build(&request, tiers, rules) {
        Ok(palette) => Granted {
            characters: palette.tools.iter().map(|tool| tool.text().chars().count()).sum(),
            diagnostics: palette.diagnostics,
        },
        // Reading reports what cannot be read.
        Err(_) => Granted::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::LintOptions;
    use crate::lint::testing::Example;
    use crate::lint::testing::tiers;
    use crate::protocol::Protocols;

    #[test]
    fn a_tool_grants_the_same_as_its_palette() {
        let files = "=== .ai/tools/a/b.yaml\ndescription: D\nparameters:\n  - name: n\n\
                     === .ai/tools/a/c.py\nprint()\n";
        let (tiers, options) = (tiers(Example(files)), LintOptions::default());
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
