use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Problem};
use crate::fill::palette::capability::{CapabilityPattern, Reach};
use crate::fill::palette::{self, Palette, PaletteRequest, Primary};
use crate::prompt::{Declared, Grant, tool_text};
use crate::read::store::{ItemKind, Tiers};
use crate::read::tool::{NoSchema, read_tool};
use crate::read::value::{Value, map};
use crate::read::yaml::YamlNode;
use crate::text::Source;

use super::Project;

const NO_TOOL: &str = "rye.execute.tool.?";

/// The tools that one capability grants, ignoring the budget.
#[derive(Debug, Default, Clone)]
pub(crate) struct Granted {
    pub characters: usize,
    /// Problems; one with the capability itself has no place.
    pub diagnostics: Vec<Diagnostic>,
}

impl Project<'_> {
    /// The tools that a capability grants, cached because many directives may declare it; none
    /// under a protocol without tools.
    pub(crate) fn granted(&self, capability: &str) -> Option<Arc<Granted>> {
        self.protocol.tools?;
        Some(self.cached.granted.get_or_set(capability.to_string(), || {
            let one = own_tool(capability, self)
                .and_then(|(id, source)| Some(one_tool(id, source, (*self.granted(NO_TOOL)?).clone(), self.tiers)));
            Arc::new(one.unwrap_or_else(|| palette_of(capability, self)))
        }))
    }

    /// The palette of the tools that capabilities grant; none if it cannot be built.
    pub(crate) fn palette<'c>(
        &self,
        capabilities: impl Iterator<Item = &'c str>,
        preload: Option<&YamlNode>,
    ) -> Option<Palette> {
        let by = |capability: &str| Declared { by: capability.to_string(), span: None };
        let grants: Vec<Grant> = capabilities.map(|it| Grant { capability: it.to_string(), by: by(it) }).collect();
        let request = PaletteRequest { grants: &grants, declared: true, outputs: None, preload };
        palette::build(&request, self.tiers, self.protocol.tools?).ok()
    }
}

/// The tool of the project that a capability names exactly. A project may have thousands of tools, and finding
/// it directly avoids building a palette for each.
fn own_tool<'p>(capability: &str, project: &'p Project<'_>) -> Option<(String, &'p Arc<Source>)> {
    let reach = Reach::of(capability, true)?;
    let Reach { actions: [Primary::Execute], kind: Some(ItemKind::Tool), pattern: CapabilityPattern::Exact(id) } =
        reach
    else {
        return None;
    };
    let file = project.find(ItemKind::Tool, &id).filter(|_| !Primary::is_primary(&id))?;
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

fn palette_of(capability: &str, project: &Project<'_>) -> Granted {
    let endless = YamlNode::of(&Value::Map(map([("max_tokens", Value::from(i64::MAX))])));
    // Errors are reported while reading.
    let palette = project.palette([capability].into_iter(), Some(&endless)).unwrap_or_default();
    let characters = palette.tools.iter().map(|tool| tool.text().chars().count()).sum();
    Granted { characters, diagnostics: palette.diagnostics }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::LintOptions;
    use crate::lint::testing::Example;
    use crate::lint::testing::tiers;
    use crate::read::protocol::Protocols;

    #[test]
    fn an_exact_capability_gives_the_same_result_as_its_palette() {
        let files = "=== .ai/tools/a/b.yaml\ndescription: D\nparameters:\n  - name: n\n\
                     === .ai/tools/a/c.py\nprint()\n";
        let (tiers, options) = (tiers(Example(files)), LintOptions::default());
        let protocol = Protocols::default().get("rye-3").unwrap();
        let project = Project::read(&tiers, &protocol, &options);
        for capability in ["rye.execute.tool.a.b", "rye.execute.tool.a.c"] {
            let quick = project.granted(capability).unwrap();
            let whole = palette_of(capability, &project);
            assert!(own_tool(capability, &project).is_some());
            assert_eq!((quick.characters, &quick.diagnostics), (whole.characters, &whole.diagnostics));
        }
        for other in ["rye.execute.tool.a.*", "rye.execute.tool.rye.execute", "rye.execute.tool.a.d", "rye.*"] {
            assert!(own_tool(other, &project).is_none(), "{other}");
        }
    }
}
