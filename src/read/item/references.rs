//! The items that directives and hooks name.

use super::{ContextDeclaration, Directive, Hook, HookAction, ItemField};
use crate::diagnostic::Problem;
use crate::read::protocol::HookItems;
use crate::read::store::ItemKind;

impl ContextDeclaration {
    pub fn items(&self) -> impl Iterator<Item = &ItemField> {
        [&self.system, &self.before, &self.after].into_iter().flatten()
    }
}

impl Directive {
    /// Every item that the directive names, including those of its hooks.
    pub fn references(&self) -> impl Iterator<Item = (ItemKind, &ItemField)> {
        self.references_handed_on().chain(self.hooks.iter().flat_map(Hook::references))
    }

    /// The items that its children inherit: its parent and the items of its context.
    pub fn references_handed_on(&self) -> impl Iterator<Item = (ItemKind, &ItemField)> {
        let parent = self.extends.iter().map(|id| (ItemKind::Directive, id));
        parent.chain(self.context.items().map(|id| (ItemKind::Knowledge, id)))
    }
}

impl Hook {
    /// Includes ids with placeholders, which are resolved only when the hook runs.
    pub fn references(&self) -> impl Iterator<Item = (ItemKind, &ItemField)> {
        self.actions.iter().flat_map(|action| {
            let parent = action.set_extends.as_ref().map(|id| (ItemKind::Directive, id));
            action.item().into_iter().chain(parent)
        })
    }

    /// The parent set by the first action that has one. An empty id sets none.
    pub fn parent(&self) -> Option<&ItemField> {
        let first = self.actions.iter().find_map(|action| action.set_extends.as_ref());
        first.filter(|id| !id.text.is_empty())
    }

    /// The names under which it can be suppressed: its id, and the item id of its only action, as written.
    pub fn suppressible_names(&self) -> impl Iterator<Item = &str> {
        let item = match self.actions.as_slice() {
            [action] => action.item_id.as_ref().map(ItemField::as_str),
            _ => None,
        };
        [self.id.as_deref(), item].into_iter().flatten()
    }
}

/// The kind of the documented system that has no items here.
const CONFIG: &str = "config";

impl HookAction {
    pub fn primary(&self) -> Option<&str> {
        let default = Some("execute").filter(|_| self.names_item == HookItems::Kind);
        self.primary.as_deref().or(default)
    }

    pub fn executes(&self) -> bool {
        self.primary() == Some("execute")
    }

    /// Whether its primary puts the text of an item into the prompt.
    pub fn adds_text(&self) -> bool {
        self.unknown_primary().is_none() && !matches!(self.primary(), None | Some("sign"))
    }

    pub fn kind(&self) -> Option<ItemKind> {
        match (self.names_item, &self.kind) {
            (HookItems::Kind, None) => Some(ItemKind::Tool),
            (HookItems::Kind, Some(kind)) => kind.parse().ok(),
            (HookItems::ItemType, _) => self.item_type.as_deref()?.parse().ok(),
        }
    }

    /// A kind that ends the thread.
    pub fn unknown_kind(&self) -> Option<&str> {
        let kind = self.kind.as_deref().filter(|_| self.names_item == HookItems::Kind && self.kind().is_none());
        kind.filter(|kind| *kind != CONFIG)
    }

    /// The kind that it means, if it names none and so asks for a tool. Without an `item_type`, it may mean a tool that
    /// is there.
    pub fn meant_kind(&self, tool_is_there: bool) -> Option<&'static str> {
        let asks_for_tool = self.names_item == HookItems::Kind && self.kind.is_none();
        let meant = match self.item_type.as_deref().filter(|_| asks_for_tool) {
            Some(meant) => meant.parse().unwrap_or(ItemKind::Knowledge),
            None if asks_for_tool && !tool_is_there => ItemKind::Knowledge,
            None => return None,
        };
        (meant != ItemKind::Tool).then(|| meant.into_str())
    }

    pub fn item(&self) -> Option<(ItemKind, &ItemField)> {
        Some((self.kind()?, self.item_id.as_ref()?))
    }

    /// Why it names no item.
    pub fn missing_part(&self) -> Option<String> {
        match (self.primary(), self.kind(), &self.item_type) {
            _ if self.names_item == HookItems::Kind => self.item_id.is_none().then(|| "it has no item_id".to_string()),
            (None, _, _) => Some("it has no primary".to_string()),
            (_, None, Some(word)) => Some(format!("`{word}` is not knowledge, tool or directive")),
            (_, None, None) => Some("it has no item_type".to_string()),
            _ => self.item_id.is_none().then(|| "it has no item_id".to_string()),
        }
    }

    /// Why it is skipped, as a problem.
    pub fn incomplete(&self, hook: &str, reason: String) -> Problem {
        Problem::ActionIncomplete { hook: hook.to_string(), reason, names_kind: self.names_item == HookItems::Kind }
    }

    /// Why its primary does nothing; `None` also if it has no primary.
    pub fn unknown_primary(&self) -> Option<String> {
        let primary = self.primary.as_deref()?;
        let (words, listed) = match self.names_item {
            HookItems::ItemType => (["execute", "fetch", "load"], "execute, fetch or load"),
            HookItems::Kind => (["execute", "fetch", "sign"], "execute, fetch or sign"),
        };
        (!words.contains(&primary)).then(|| format!("`{primary}` is not {listed}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::item::{Parsed, parse_directive};
    use crate::read::protocol::Protocol;
    use crate::text::testing::source;

    fn named<'d>(references: impl Iterator<Item = (ItemKind, &'d ItemField)>) -> Vec<String> {
        references.map(|(kind, id)| format!("{} {}", kind.into_str(), id.as_str())).collect()
    }

    #[test]
    fn all_references_of_a_directive_are_found() {
        let text = r#"```xml
<directive name="deploy" extends="base">
  <metadata>
    <context>
      <suppress>ctx_environment</suppress>
      <after>checks</after>
      <system>identity</system>
      <before>rules</before>
    </context>
    <hooks>
      <hook event="thread_started"><action primary="fetch" item_type="knowledge" item_id="${model}"/></hook>
      <hook event="thread_started"><action primary="fetch" item_type="file" item_id="notes"/></hook>
      <hook event="resolve_extends"><action set_extends=""/></hook>
      <hook event="resolve_extends"><action set_extends="careful"/></hook>
    </hooks>
  </metadata>
</directive>
```
"#;
        let file = source("project", ".ai/directives/deploy.md", text);
        let Parsed { item: directive, .. } = parse_directive(&file, &Protocol::builtin("rye-3").unwrap()).unwrap();
        let handed_on = ["directive base", "knowledge identity", "knowledge rules", "knowledge checks"];
        assert_eq!(named(directive.references_handed_on()), handed_on);
        let of_hook = ["knowledge ${model}", "directive ", "directive careful"];
        assert_eq!(named(directive.references()), [&handed_on[..], &of_hook[..]].concat());
        let parents: Vec<_> = directive.hooks.iter().map(|hook| hook.parent().map(ItemField::as_str)).collect();
        assert_eq!(parents, [None, None, None, Some("careful")]);
        let actions = directive.hooks.iter().flat_map(|hook| hook.actions.clone()).collect();
        let hook = Hook { actions, ..directive.hooks[0].clone() };
        assert_eq!(hook.parent(), None, "the first action with an id decides, and its id is empty");
    }
}
