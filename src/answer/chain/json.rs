use crate::diagnostic::Diagnostic;
use crate::prompt::json::origin::SourceJson;

use super::graph::{Edge, Graph, GraphNode};
use super::shape;

pub fn document<'a>(graph: &'a Graph, protocol: &'a str, diagnostics: &'a [Diagnostic]) -> shape::ChainDocument<'a> {
    shape::ChainDocument {
        format: "rye-render.chain/1",
        tool_version: env!("CARGO_PKG_VERSION"),
        protocol,
        what_if: &[],
        nodes: graph.nodes.iter().map(Into::into).collect(),
        edges: graph.edges.iter().map(Into::into).collect(),
        roots: &graph.roots,
        members: None,
        permissions: None,
        diagnostics: diagnostics.iter().map(Into::into).collect(),
    }
}

impl<'a> From<&'a GraphNode> for shape::NodeJson<'a> {
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

impl<'a> From<&'a Edge> for shape::EdgeJson<'a> {
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
        json::line(&document(&shop(), "rye-3", &[]), &mut out).unwrap();
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
