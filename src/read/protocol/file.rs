use std::sync::Arc;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::{
    Builtin, ChainText, ConfigFolders, ContextScope, HookItems, HookText, KnowledgeText, PromptPart, Protocol, Returns,
    Routing, RoutingModel, RoutingOrder, SchemaSize, ToolRules,
};
use crate::diagnostic::{Diagnostic, Problem};
use crate::read::store::ItemId;
use crate::read::value::PathSyntax;
use crate::read::yaml::{self, Unreadable, YamlNode};
use crate::text::nearest::nearest;
use crate::text::{Source, Span};

/// A protocol file: one key per row of the table (Directives, "Protocols").
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ProtocolFile {
    name: String,
    extends: Option<String>,
    parts: Option<Vec<PromptPart>>,
    joiner: Option<String>,
    returns: Option<String>,
    system: Option<ContextScope>,
    suppress: Option<ContextScope>,
    suppress_alone: Option<bool>,
    hook_items: Option<HookItems>,
    hook_text: Option<HookText>,
    knowledge: Option<KnowledgeText>,
    chain_text: Option<ChainText>,
    routing: Option<WrittenRouting>,
    tools: Option<WrittenTools>,
    permission_words: Option<Vec<String>>,
    hook_conditions: Option<WrittenFolders>,
    fallback_operator: Option<bool>,
    paths: Option<PathSyntax>,
    pipes: Option<bool>,
    events: Option<ContextScope>,
    builtin: Option<Builtin>,
}

#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenRouting {
    enabled: Option<bool>,
    order: Option<RoutingOrder>,
    without_target: Option<WithoutTarget>,
    model: Option<RoutingModel>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum WithoutTarget {
    Stop,
    Continue,
}

#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenTools {
    palette: Option<WrittenPalette>,
    star: Option<Star>,
    undeclared: Option<Undeclared>,
    execute: Option<ExecuteTool>,
    primaries: Option<PrimaryTools>,
    size: Option<SchemaSize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum WrittenPalette {
    None,
    Capabilities,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Star {
    All,
    None,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Undeclared {
    Primaries,
    None,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ExecuteTool {
    Granted,
    ForItems,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum PrimaryTools {
    Granted,
    ByPattern,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenFolders {
    system: Option<Vec<String>>,
    user: Option<Vec<String>>,
    project: Option<Vec<String>>,
}

/// The part of a project's settings that defines protocols.
#[derive(Debug, Deserialize)]
struct ProtocolSettings {
    #[serde(default)]
    protocols: Vec<ProtocolFile>,
}

#[derive(Debug, Default)]
pub struct Protocols {
    defined: Vec<Protocol>,
}

impl Protocols {
    /// Adds the protocol of a file. It may extend a built-in protocol or one added before.
    pub fn add_file(&mut self, source: &Arc<Source>) -> Result<(), Diagnostic> {
        let written: ProtocolFile = read(source)?;
        let at = nodes(source).and_then(|node| name_in(&node));
        self.add(written, at.unwrap_or_else(|| source.whole()), None)
    }

    /// Adds the protocols that the settings list, in order.
    pub fn add_settings(&mut self, source: &Arc<Source>) -> Result<(), Diagnostic> {
        let settings: Option<ProtocolSettings> = read(source)?;
        let node = nodes(source);
        let list = node.as_ref().and_then(|node| node.get("protocols")?.as_list()).unwrap_or_default();
        let written = settings.into_iter().flat_map(|settings| settings.protocols).enumerate();
        for (index, written) in written {
            let at = list.get(index).and_then(name_in).unwrap_or_else(|| source.whole());
            self.add(written, at.clone(), Some(at))?;
        }
        Ok(())
    }

    /// A built-in protocol, or the last one added under that name.
    pub fn get(&self, name: &str) -> Result<Protocol, Diagnostic> {
        self.find(name).ok_or_else(|| {
            let known: Vec<String> = self.names().map(str::to_string).collect();
            let nearest = nearest(name, self.names());
            Diagnostic::new(Problem::UnknownProtocol { name: name.to_string(), known, nearest })
        })
    }

    fn find(&self, name: &str) -> Option<Protocol> {
        let defined = self.defined.iter().rev().find(|protocol| protocol.name == name).cloned();
        defined.or_else(|| Protocol::builtin(name))
    }

    /// The built-in names, then those added, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        Protocol::BUILTIN.into_iter().chain(self.defined.iter().map(|protocol| protocol.name.as_str()))
    }

    /// `defined` is set if a tier's file defines it.
    fn add(&mut self, written: ProtocolFile, at: Span, defined: Option<Span>) -> Result<(), Diagnostic> {
        let refuse = |reason: String| Diagnostic::at(Problem::InvalidProtocol { reason }, at.clone());
        // A project cannot redefine a built-in protocol.
        if Protocol::builtin(&written.name).is_some() {
            return Err(refuse(format!("`{0}` is built in: give it another name, and `extends: {0}`", written.name)));
        }
        let parent = written.extends.as_deref().unwrap_or(Protocol::DEFAULT);
        let base = self.find(parent).ok_or_else(|| {
            let known = self.names().collect::<Vec<_>>().join(", ");
            refuse(format!("`{}` extends `{parent}`, which is not one of: {known}", written.name))
        })?;
        if let Some(folder) =
            written.hook_conditions.iter().flat_map(WrittenFolders::all).find(|folder| ItemId::check(folder).is_err())
        {
            return Err(refuse(format!("`{folder}` is not a folder below .ai")));
        }
        let mut protocol = written.over(base);
        protocol.defined.extend(defined);
        self.defined.push(protocol);
        Ok(())
    }
}

fn read<T: DeserializeOwned>(source: &Arc<Source>) -> Result<T, Diagnostic> {
    let invalid = |reason, at: usize| Diagnostic::at(Problem::InvalidProtocol { reason }, source.span(at..at));
    yaml::read_own(source.text()).map_err(|Unreadable { reason, at }| invalid(reason, at))
}

/// A file with positions; `None` if the YAML reader does not accept it.
fn nodes(source: &Arc<Source>) -> Option<YamlNode> {
    Some(yaml::load(&source.whole()).ok()?.node)
}

fn name_in(definition: &YamlNode) -> Option<Span> {
    definition.get("name")?.span.clone()
}

impl WrittenFolders {
    fn all(&self) -> impl Iterator<Item = &String> {
        [&self.system, &self.user, &self.project].into_iter().flatten().flatten()
    }
}

impl ProtocolFile {
    /// This protocol, with missing values from `base`.
    fn over(self, base: Protocol) -> Protocol {
        let folders = self.hook_conditions.unwrap_or_default();
        Protocol {
            name: self.name,
            parts: self.parts.unwrap_or(base.parts),
            joiner: self.joiner.unwrap_or(base.joiner),
            returns: self.returns.map_or(base.returns, Returns::Template),
            context: self.system.unwrap_or(base.context),
            suppress: self.suppress.unwrap_or(base.suppress),
            suppress_alone: self.suppress_alone.unwrap_or(base.suppress_alone),
            hook_items: self.hook_items.unwrap_or(base.hook_items),
            hook_text: self.hook_text.unwrap_or(base.hook_text),
            knowledge: self.knowledge.unwrap_or(base.knowledge),
            chain_text: self.chain_text.unwrap_or(base.chain_text),
            routing: self.routing.map_or(base.routing, |written| written.over(base.routing)),
            tools: self.tools.map_or(base.tools, |written| written.over(base.tools)),
            permission_words: self.permission_words.unwrap_or(base.permission_words),
            hook_conditions: ConfigFolders {
                system: folders.system.unwrap_or(base.hook_conditions.system),
                user: folders.user.unwrap_or(base.hook_conditions.user),
                project: folders.project.unwrap_or(base.hook_conditions.project),
            },
            fallback_operator: self.fallback_operator.unwrap_or(base.fallback_operator),
            paths: self.paths.unwrap_or(base.paths),
            pipes: self.pipes.unwrap_or(base.pipes),
            events: self.events.unwrap_or(base.events),
            builtin: self.builtin.unwrap_or(base.builtin),
            defined: base.defined,
        }
    }
}

impl WrittenRouting {
    fn over(self, base: Option<Routing>) -> Option<Routing> {
        let enabled = self.enabled.unwrap_or(base.is_some() || self != Self::default());
        let base = base.unwrap_or(Routing::DOCUMENTED);
        enabled.then(|| Routing {
            order: self.order.unwrap_or(base.order),
            without_target_stops: self.without_target.map_or(base.without_target_stops, |it| it == WithoutTarget::Stop),
            model: self.model.unwrap_or(base.model),
        })
    }
}

impl WrittenTools {
    fn over(self, base: Option<ToolRules>) -> Option<ToolRules> {
        let there = match self.palette {
            Some(palette) => palette == WrittenPalette::Capabilities,
            None => base.is_some() || self != Self::default(),
        };
        let base = base.unwrap_or(ToolRules::DOCUMENTED);
        there.then(|| ToolRules {
            star_is_all: self.star.map_or(base.star_is_all, |star| star == Star::All),
            undeclared_primaries: self.undeclared.map_or(base.undeclared_primaries, |it| it == Undeclared::Primaries),
            execute_for_tools: self.execute.map_or(base.execute_for_tools, |it| it == ExecuteTool::Granted),
            primaries_by_pattern: self.primaries.map_or(base.primaries_by_pattern, |it| it == PrimaryTools::ByPattern),
            size: self.size.unwrap_or(base.size),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str) -> Arc<Source> {
        Source::read("".into(), "protocol.yaml", text.as_bytes().to_vec()).unwrap()
    }

    fn defined(text: &str) -> Result<Protocol, String> {
        let mut protocols = Protocols::default();
        protocols.add_file(&source(text)).map_err(|diagnostic| diagnostic.message())?;
        protocols.defined.pop().ok_or_else(String::new)
    }

    #[test]
    fn missing_keys_are_inherited() {
        let written = "name: x\nextends: rye-3\nknowledge: file\nrouting: {order: source, without_target: continue}\n\
                       tools: {star: none, undeclared: none}\nreturns: \"R\\n\"\n";
        let expected = Protocol {
            name: "x".to_string(),
            knowledge: KnowledgeText::File,
            routing: Some(Routing { order: RoutingOrder::Source, without_target_stops: false, ..Routing::DOCUMENTED }),
            tools: Some(ToolRules { star_is_all: false, undeclared_primaries: false, ..ToolRules::DOCUMENTED }),
            returns: Returns::Template("R\n".to_string()),
            ..Protocol::builtin("rye-3").unwrap()
        };
        assert_eq!(defined(written), Ok(expected));
    }

    #[test]
    fn every_key_of_the_table_can_be_written() {
        let written = "name: old\nextends: rye-3\nparts: [instruction, name, preamble, body, returns, close]\n\
                       joiner: \"\\n\\n\"\nsystem: none\nsuppress: none\nchain_text: as_hooks\nrouting: {enabled: false}\n\
                       tools: {palette: none}\npermission_words: [execute, search, load, sign]\n\
                       hook_conditions: {system: [], user: [], project: []}\nfallback_operator: false\nevents: none\n\
                       builtin: hooks\nknowledge: body\n";
        let rye_1 = Protocol::builtin("rye-1").unwrap();
        assert_eq!(defined(written), Ok(Protocol { name: "old".to_string(), returns: Returns::Installed, ..rye_1 }));
    }

    #[test]
    fn the_newest_release_can_be_written_as_a_file() {
        let written = "name: new\nextends: rye-3\nsuppress_alone: false\nhook_items: kind\nhook_text: text_or_file\n\
                       knowledge: file\nchain_text: as_hooks\npaths: brackets\npipes: true\n\
                       routing: {order: source, without_target: continue, model: attributes}\n\
                       tools: {star: none, undeclared: none, execute: for_items, primaries: by_pattern, size: python}\n";
        let rye_4 = Protocol::builtin("rye-4").unwrap();
        assert_eq!(defined(written), Ok(Protocol { name: "new".to_string(), returns: Returns::Installed, ..rye_4 }));
    }

    #[test]
    fn unknown_keys_and_values_are_refused_with_the_valid_ones() {
        let refused = defined("name: x\nknowlege: file\n").unwrap_err();
        assert!(refused.contains("knowlege") && refused.contains("knowledge"), "{refused}");
        let refused = defined("name: x\nknowledge: folder\n").unwrap_err();
        assert!(refused.contains("folder") && refused.contains("body"), "{refused}");
        let refused = defined("name: x\nextends: rye-9\n").unwrap_err();
        assert!(refused.contains("rye-9") && refused.contains("rye-3"), "{refused}");
        let refused = defined("name: x\nhook_conditions: {system: [../..]}\n").unwrap_err();
        assert!(refused.contains("../.."), "{refused}");
    }

    #[test]
    fn a_built_in_protocol_cannot_be_redefined() {
        let mut protocols = Protocols::default();
        let settings = source("protocols:\n- {name: a}\n- {name: rye-2, joiner: x}\n");
        let error = protocols.add_settings(&settings).unwrap_err();
        let Some(crate::diagnostic::Location::Span(at)) = &error.at else { panic!("{error:?}") };
        assert_eq!((at.text(), at.line()), ("rye-2", 3));
        assert!(error.message().contains("`rye-2` is built in"), "{}", error.message());
        assert_eq!(protocols.get("rye-2").unwrap(), Protocol::builtin("rye-2").unwrap());
        assert!(defined("name: rye-3\njoiner: x\n").unwrap_err().contains("is built in"));
    }

    #[test]
    fn definitions_in_tiers_are_recorded() {
        let mut protocols = Protocols::default();
        protocols.add_settings(&source("protocols: [{name: a, joiner: x}]")).unwrap();
        protocols.add_file(&source("{name: b, extends: a}")).unwrap();
        protocols.add_file(&source("name: c")).unwrap();
        let lines = |name: &str| protocols.get(name).unwrap().defined.len();
        assert_eq!(["a", "b", "c", "rye-3"].map(lines), [1, 1, 0, 0]);
    }

    #[test]
    fn later_definitions_build_on_earlier_ones() {
        let mut protocols = Protocols::default();
        protocols.add_settings(&source("protocols:\n- {name: a, knowledge: file}\n- {name: b, extends: a}\n")).unwrap();
        assert_eq!(protocols.get("b").unwrap().knowledge, KnowledgeText::File);
        assert_eq!(protocols.get("rye-1").unwrap().joiner, "\n\n");
        assert!(protocols.get("rye-33").unwrap_err().help().unwrap().contains("rye-3"));
    }
}
