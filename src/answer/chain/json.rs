//! The JSON that `chain` writes; the published schema is generated from these types.

use serde::Serialize;

use super::graph::{Edge, Graph, GraphNode};
use super::member::MemberView;
use crate::diagnostic::Diagnostic;
use crate::prompt::Grant;
use crate::prompt::json::origin::SourceJson;

/// How items are connected; for one directive, also the outcome of its chain. For an agent's working folder, the parts
/// of its prompt.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(title = "rye-render.chain/1"))]
pub struct ChainDocument<'a> {
    /// Name and version of this format.
    #[cfg_attr(test, schemars(extend("const" = "rye-render.chain/1")))]
    pub format: &'static str,
    /// The version of rye-render that wrote it.
    pub tool_version: &'static str,
    /// Name of the protocol, or the agents with their releases.
    pub protocol: &'a str,
    /// The flags that change the result, as typed; empty if the result depends only on the files.
    pub what_if: &'a [String],
    /// The nodes: items, files and folders.
    pub nodes: Vec<NodeJson<'a>>,
    /// The links between nodes.
    pub edges: Vec<EdgeJson<'a>>,
    /// The roots of a tree drawing, as indices into `nodes`.
    pub roots: &'a [usize],
    /// For the chain of one directive: its directives, root first, leaf last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub members: Option<Vec<&'a MemberView<'a>>>,
    /// For the chain of one directive: the capabilities that its chain and a parent thread leave it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permissions: Option<&'a [Grant]>,
    /// Warnings and notes.
    pub diagnostics: &'a [Diagnostic],
}

/// An item, a file or a folder.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct NodeJson<'a> {
    /// The kind of node.
    #[cfg_attr(test, schemars(extend("enum" = ["directive", "knowledge", "hook", "tool", "folder", "base", "append", "context", "skills", "skill"])))]
    pub kind: &'static str,
    /// The id, or the path of a file or folder without one.
    pub id: &'a str,
    /// The file, and for a hook the line of its declaration; null if no tier has the item.
    pub source: Option<SourceJson<'a>>,
    /// In the prompt of a folder: the size of the text in tokens, if it is included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<usize>,
    /// In the prompt of a folder: why it is not included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out: Option<&'a str>,
    /// In the prompts of several agents in a folder: those that use it.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub agents: &'a [String],
    /// Remarks, one sentence each.
    pub notes: &'a [String],
}

/// A link between two nodes.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct EdgeJson<'a> {
    /// The node that the link starts from, as an index into `nodes`.
    pub from: usize,
    /// The node that the link leads to, as an index into `nodes`.
    pub to: usize,
    /// The kind of link. `extends`: from a directive to its parent or to the hook that routes it, or from that hook to
    /// the parent. `context`: from a directive to a knowledge item that it places. `hook`: from a directive to a hook
    /// that it declares, or from a hook to its item. `tool`: from a directive to a tool or pattern that it is granted,
    /// or from a pattern to a tool that it covers. `part`: from a folder to a part of its prompt, or from a folder of
    /// skills to a skill. `hides`: from a file to one that it hides.
    #[cfg_attr(test, schemars(extend("enum" = ["extends", "context", "hook", "tool", "part", "hides"])))]
    pub kind: &'static str,
    /// Where a directive places the item.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("enum" = ["system", "before", "after"])))]
    pub position: Option<&'static str>,
    /// The declaration; null if no file declares it.
    pub source: Option<SourceJson<'a>>,
    /// A remark, as a sentence.
    pub note: Option<&'a str>,
}

impl<'a> ChainDocument<'a> {
    pub fn new(graph: &'a Graph, protocol: &'a str, diagnostics: &'a [Diagnostic]) -> Self {
        Self {
            format: "rye-render.chain/1",
            tool_version: env!("CARGO_PKG_VERSION"),
            protocol,
            what_if: &[],
            nodes: graph.nodes.iter().map(Into::into).collect(),
            edges: graph.edges.iter().map(Into::into).collect(),
            roots: &graph.roots,
            members: None,
            permissions: None,
            diagnostics,
        }
    }
}

impl<'a> From<&'a GraphNode> for NodeJson<'a> {
    fn from(node: &'a GraphNode) -> Self {
        let place = node.tier.as_deref().zip(node.path.as_deref());
        let source = place.map(|(tier, path)| SourceJson {
            tier: tier.into(),
            path: path.into(),
            line: node.line,
            ..SourceJson::default()
        });
        Self {
            kind: node.kind.into_str(),
            id: &node.id,
            source,
            tokens: node.tokens,
            left_out: node.left_out.as_deref(),
            agents: &node.agents,
            notes: &node.notes,
        }
    }
}

impl<'a> From<&'a Edge> for EdgeJson<'a> {
    fn from(edge: &'a Edge) -> Self {
        Self {
            from: edge.from,
            to: edge.to,
            kind: edge.kind.into_str(),
            position: edge.kind.position().map(|position| position.into_str()),
            source: edge.at.as_ref().map(Into::into),
            note: edge.note.as_deref(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::chain::testing::shop;
    use crate::prompt::json;

    #[test]
    fn a_graph_is_one_object() {
        let mut out = Vec::new();
        json::line(&ChainDocument::new(&shop(), "rye-3", &[]), &mut out).unwrap();
        let mut value: serde_json::Value = serde_json::from_slice(&out).unwrap();
        value["tool_version"] = "0".into();
        insta::assert_snapshot!(serde_json::to_string_pretty(&value).unwrap(), @r#"
{
  "format": "rye-render.chain/1",
  "tool_version": "0",
  "protocol": "rye-3",
  "what_if": [],
  "nodes": [
    {
      "kind": "directive",
      "id": "deploy",
      "source": {
        "tier": "project",
        "path": ".ai/directives/deploy.md"
      },
      "notes": []
    },
    {
      "kind": "directive",
      "id": "project/deploy/base",
      "source": {
        "tier": "user",
        "path": ".ai/directives/project/deploy/base.md"
      },
      "notes": []
    },
    {
      "kind": "knowledge",
      "id": "project/deploy/checklist",
      "source": {
        "tier": "project",
        "path": ".ai/knowledge/project/deploy/checklist.md"
      },
      "notes": [
        "shadows the one in user"
      ]
    },
    {
      "kind": "hook",
      "id": "web",
      "source": {
        "tier": "project",
        "path": ".ai/config/agent/hooks.yaml",
        "line": 2
      },
      "notes": []
    },
    {
      "kind": "tool",
      "id": "rye/bash/with/a/name/that/is/rather/long/and/goes/on/for/a/while",
      "source": {
        "tier": "project",
        "path": ".ai/tools/rye/bash/with/a/name/that/is/rather/long/and/goes/on/for/a/while.py"
      },
      "notes": []
    },
    {
      "kind": "directive",
      "id": "web/base",
      "source": {
        "tier": "project",
        "path": ".ai/directives/web/base.md"
      },
      "notes": []
    },
    {
      "kind": "knowledge",
      "id": "gone",
      "source": null,
      "notes": [
        "no tier has it"
      ]
    }
  ],
  "edges": [
    {
      "from": 0,
      "to": 1,
      "kind": "extends",
      "source": {
        "tier": "project",
        "path": ".ai/directives/deploy.md",
        "start": 8,
        "end": 12,
        "line": 1,
        "column": 9
      },
      "note": null
    },
    {
      "from": 0,
      "to": 5,
      "kind": "extends",
      "source": {
        "tier": "project",
        "path": ".ai/config/agent/hooks.yaml",
        "start": 32,
        "end": 40,
        "line": 3,
        "column": 16
      },
      "note": "routed by hook web"
    },
    {
      "from": 0,
      "to": 2,
      "kind": "context",
      "position": "before",
      "source": {
        "tier": "project",
        "path": ".ai/directives/deploy.md",
        "start": 13,
        "end": 19,
        "line": 2,
        "column": 1
      },
      "note": null
    },
    {
      "from": 0,
      "to": 3,
      "kind": "hook",
      "source": null,
      "note": null
    },
    {
      "from": 3,
      "to": 2,
      "kind": "hook",
      "source": {
        "tier": "project",
        "path": ".ai/config/agent/hooks.yaml",
        "start": 7,
        "end": 11,
        "line": 2,
        "column": 1
      },
      "note": null
    },
    {
      "from": 0,
      "to": 4,
      "kind": "tool",
      "source": null,
      "note": null
    },
    {
      "from": 5,
      "to": 1,
      "kind": "extends",
      "source": null,
      "note": null
    },
    {
      "from": 1,
      "to": 6,
      "kind": "context",
      "position": "system",
      "source": null,
      "note": "suppressed by deploy"
    },
    {
      "from": 1,
      "to": 0,
      "kind": "extends",
      "source": null,
      "note": null
    }
  ],
  "roots": [
    0,
    6
  ],
  "diagnostics": []
}
"#);
    }
}
