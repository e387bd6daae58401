use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use super::bindings::{Binding, Bindings};
use super::literal::PythonLiteralReader;
use crate::read::limits::LITERAL_LEVELS;
use crate::read::store::Modules;
use crate::read::value::Value;

/// The maximum number of modules read for one tool.
const MOST_MODULES: usize = 8;
/// The maximum size, in bytes, of the literals that one tool's names expand to, counted per use.
const LONGEST: usize = 1_000_000;

/// The modules that a tool imports, and the remaining budget for reading them.
pub(super) struct Imports<'a> {
    modules: Modules<'a>,
    read: RefCell<HashMap<String, Option<Rc<Bindings>>>>,
    left: Cell<usize>,
}

impl<'a> Imports<'a> {
    pub fn new(modules: Modules<'a>) -> Self {
        Self { modules, read: RefCell::default(), left: Cell::new(LONGEST) }
    }

    fn module(&self, name: &str) -> Option<Rc<Bindings>> {
        let mut read = self.read.borrow_mut();
        if let Some(module) = read.get(name) {
            return module.clone();
        }
        if read.len() == MOST_MODULES {
            return None;
        }
        let module = self.modules.read(name).and_then(Bindings::new).map(Rc::new);
        read.insert(name.to_string(), module.clone());
        module
    }

    /// `None` if this exceeds the budget, which is then zero.
    fn spend(&self, bytes: usize) -> Option<()> {
        let left = self.left.get().checked_sub(bytes);
        self.left.set(left.unwrap_or(0));
        left.map(|_| ())
    }
}

#[derive(Clone, Copy)]
pub(super) struct Names<'a> {
    imports: &'a Imports<'a>,
    module: &'a Bindings,
    /// The statement's class, or empty.
    class: &'a str,
    /// Offset of the statement; later bindings are ignored.
    before: usize,
    /// Nesting depth so far. Every name adds one, so circular names reach the limit.
    level: usize,
}

impl<'a> Names<'a> {
    pub fn of_module(imports: &'a Imports<'a>, module: &'a Bindings, statement: usize) -> Self {
        Self { imports, module, class: "", before: statement, level: 0 }
    }

    pub fn level(&self) -> usize {
        self.level
    }

    /// The literal that a name or `Class.NAME` stands for inside `depth` brackets; `None` if absent or too large.
    pub fn value(&self, name: &str, depth: usize) -> Option<Value> {
        let level = self.level + depth + 1;
        if level > LITERAL_LEVELS {
            return None;
        }
        self.imports.spend(1)?;
        let (head, attribute) = match name.split_once('.') {
            Some((head, attribute)) => (head, Some(attribute)),
            None => (name, None),
        };
        let here = Names { level, ..*self };
        let (names, binding) = here.bound(self.class, head).or_else(|| here.bound("", head))?;
        match (binding, attribute) {
            (Binding::Class, Some(attribute)) => {
                let (inner, binding) = here.bound(head, attribute)?;
                // An earlier class of that name may have had the attribute.
                if inner.before > names.before { inner.follow(binding, None) } else { None }
            }
            _ => names.follow(binding, attribute),
        }
    }

    /// The binding of a name, and the names visible to its statement; `class` is empty for the module.
    fn bound<'b>(&self, class: &'b str, name: &str) -> Option<(Names<'b>, &'b Binding)>
    where
        'a: 'b,
    {
        let (before, binding) = self.module.before(class, name, self.before)?;
        Some((Names { class, before, ..*self }, binding))
    }

    fn follow(self, binding: &Binding, attribute: Option<&str>) -> Option<Value> {
        match (binding, attribute) {
            (Binding::Value(at), None) => self.literal(*at),
            (Binding::Import { module, name }, attribute) => {
                let module = self.imports.module(module)?;
                let name = attribute.map_or_else(|| name.clone(), |attribute| format!("{name}.{attribute}"));
                Names { module: &module, class: "", before: usize::MAX, ..self }.value(&name, 0)
            }
            _ => None,
        }
    }

    fn literal(self, at: usize) -> Option<Value> {
        let mut reader = PythonLiteralReader::with_names(self.module.text(), at, self);
        let value = reader.value();
        self.imports.spend(reader.at() - at)?;
        value.ok().map(|(value, _)| value)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::read::store::{MemoryStore, ReadOptions, Tier, TierKind, Tiers};
    use crate::read::tool::{read_primary, read_tool};
    use crate::read::value::to_python_json;
    use crate::text::Source;

    const PATH: &str = ".ai/tools/rye/execute.py";

    /// The schema of a primary tool next to these modules, or why reading fails.
    fn schema(tool: &str, modules: &[(&str, &str)]) -> Result<String, String> {
        let tier = Tier {
            kind: TierKind::System,
            label: "system:std".into(),
            store: Arc::new(MemoryStore::new()),
            root: None,
            modules: Some(Arc::new(modules.iter().copied().collect::<MemoryStore>())),
        };
        let tiers = Tiers::new(vec![tier], ReadOptions::default());
        let source = Source::read("system:std".into(), PATH, tool.as_bytes().to_vec()).unwrap();
        match read_primary(&source, tiers.modules(0).unwrap()) {
            Ok(tool) => Ok(to_python_json(&tool.schema)),
            Err(refused) => Err(refused.reason),
        }
    }

    fn ok(json: &str) -> Result<String, String> {
        Ok(json.to_string())
    }

    fn a_name() -> Result<String, String> {
        Err("CONFIG_SCHEMA is not a literal: it contains a name or a call".to_string())
    }

    #[test]
    fn names_resolve_to_assignments_of_modules() {
        let modules = [
            ("acme/texts.py", "WHAT = (\n  'what' # why\n  ' it is'\n)\nPLACE: str = 'where'\n"),
            (
                "acme/kinds/__init__.py",
                "class Kind:\n    '''Kinds'''\n    A = 'a'\n    B = 'b'\n    ALL = [A, B]\n\n    def f(self): ...\n",
            ),
        ];
        let tool = "\
from acme.kinds import Kind
from acme.texts import (
    PLACE as P,
    WHAT,
)
LEAST = 1
CONFIG_SCHEMA = {
    'kind': {'enum': Kind.ALL, 'description': WHAT}, Kind.A: [P, LEAST],
}
";
        let expected = r#"{"kind": {"enum": ["a", "b"], "description": "what it is"}, "a": ["where", 1]}"#;
        assert_eq!(schema(tool, &modules), ok(expected));
        // Other tools are read, not executed, by the released package.
        let source = Source::read("system:std".into(), ".ai/tools/x.py", tool.as_bytes().to_vec()).unwrap();
        let refused = read_tool(&source).unwrap_err();
        assert_eq!(Err(refused.reason), a_name());
        assert_eq!(refused.at.map(|at| at.range().start), tool.find("Kind.ALL"));
    }

    #[test]
    fn modules_may_name_other_modules() {
        let modules = [
            ("a.py", "from b import X as Y, K\nZ = [Y, K.N]"),
            ("b.py", "from c import K\nX = K.N"),
            ("c.py", "class K:\n  N = 1"),
        ];
        assert_eq!(schema("from a import Z\nCONFIG_SCHEMA = {'z': Z}", &modules), ok(r#"{"z": [1, 1]}"#));
        assert_eq!(schema("from a import K\nCONFIG_SCHEMA = {'z': K.N}", &modules), ok(r#"{"z": 1}"#));
    }

    #[test]
    fn names_resolve_to_earlier_assignments() {
        for (tool, expected) in [
            ("X = 1\nCONFIG_SCHEMA = {'a': X}\nX = 2", r#"{"a": 1}"#),
            ("X = 1\nX = [X]\nCONFIG_SCHEMA = {'a': X}", r#"{"a": [1]}"#),
            ("X = 1\nclass A:\n  X = X\n  Y = X\nCONFIG_SCHEMA = {'a': A.Y}", r#"{"a": 1}"#),
            ("class A:\n  X = 1\n  Y = X\nX = 2\nCONFIG_SCHEMA = {'a': [A.Y, X]}", r#"{"a": [1, 2]}"#),
        ] {
            assert_eq!(schema(tool, &[]), ok(expected), "{tool}");
        }
    }

    #[test]
    fn computed_values_are_not_literals() {
        let modules = [
            ("a.py", "X = f()\nY = 1\nY += 1\nclass E(Enum):\n  A = 1\nclass K:\n  A = 1\nclass K:\n  B = 1"),
            ("broken.py", "X = (1"),
        ];
        for (import, name) in [
            ("a", "X"),
            ("a", "Y"),
            ("a", "NONE"),
            ("a", "E.A"),
            ("a", "K.A"),
            ("a", "K.B.C"),
            ("a", "K"),
            ("broken", "X"),
            ("none", "X"),
            (".a", "Y"),
            ("a", "K.B()"),
        ] {
            let head = name.split('.').next().unwrap_or_default();
            let found = schema(&format!("from {import} import {head}\nCONFIG_SCHEMA = {{'a': {name}}}"), &modules);
            let expected = match name {
                "K.B()" => Err("CONFIG_SCHEMA is not a literal: it contains an expression".to_string()),
                _ => a_name(),
            };
            assert_eq!(found, expected, "{import} {name}");
        }
        assert_eq!(schema("CONFIG_SCHEMA = {'a': X}\nX = 1", &modules), a_name());
        assert_eq!(schema("X = 1\nCONFIG_SCHEMA = {'a': X.}", &modules), a_name());
    }

    #[test]
    fn circular_names_are_refused() {
        let modules = [("a.py", "from b import X\nY = [Y]"), ("b.py", "from a import X, Y")];
        for name in ["X", "Y"] {
            assert_eq!(schema(&format!("from b import {name}\nCONFIG_SCHEMA = {{'a': {name}}}"), &modules), a_name());
        }
    }

    #[test]
    fn the_cost_of_names_is_bounded() {
        let tool = |name| format!("from a import {name}\nCONFIG_SCHEMA = {{'a': {name}}}");
        // Each name expands to ten times as much as the previous one.
        let mut text = "X0 = 'xxxxxxxx'\n".to_string();
        for index in 1..10 {
            text.push_str(&format!("X{index} = [{}]\n", format!("X{},", index - 1).repeat(10)));
        }
        assert!(schema(&tool("X3"), &[("a.py", &text)]).is_ok());
        assert_eq!(schema(&tool("X9"), &[("a.py", &text)]), a_name());

        // Every use draws on the budget, so this ends early.
        let long = format!("X = [{}]", "1,".repeat(400_000));
        let again = "CONFIG_SCHEMA = [X, X]\n".repeat(1_000);
        assert_eq!(schema(&format!("from a import X\n{again}"), &[("a.py", &long)]), a_name());
        let large = format!("{}X = 1", " \n".repeat(500_000));
        assert_eq!(schema(&tool("X"), &[("a.py", &large)]), a_name());
        let literal = format!("{large}\nCONFIG_SCHEMA = {{'a': 1}}");
        assert_eq!(schema(&literal, &[]), ok(r#"{"a": 1}"#));

        let chain: String = (1..300).map(|index| format!("X{index} = X{}\n", index - 1)).collect();
        let chain = format!("X0 = 1\n{chain}");
        assert_eq!(schema(&tool("X190"), &[("a.py", &chain)]), ok(r#"{"a": 1}"#));
        assert_eq!(schema(&tool("X200"), &[("a.py", &chain)]), a_name());

        let nested: String =
            (1..300).map(|index| format!("X{index} = {}X{}{}\n", "[".repeat(9), index - 1, "]".repeat(9))).collect();
        let nested = format!("X0 = 1\n{nested}");
        assert!(schema(&tool("X19"), &[("a.py", &nested)]).is_ok());
        assert_eq!(schema(&tool("X20"), &[("a.py", &nested)]), a_name());

        let files: Vec<_> = (0..10).map(|index| (format!("m{index}.py"), "X = 1")).collect();
        let files: Vec<_> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
        let importing = |count| {
            let imports: String = (0..count).map(|index| format!("from m{index} import X as X{index}\n")).collect();
            let names: String = (0..count).map(|index| format!("X{index},")).collect();
            schema(&format!("{imports}CONFIG_SCHEMA = {{'a': [{names}]}}"), &files)
        };
        assert!(importing(MOST_MODULES).is_ok());
        assert_eq!(importing(MOST_MODULES + 1), a_name());
    }

    proptest::proptest! {
        #[test]
        fn no_module_causes_a_panic(text in "(X|Y|K|=|\\.| |\n|  |class |from |a|b|import |as |[(\\[,:)\\]'#;\\\\]|1){0,60}") {
            let tool = format!("{text}\nfrom a import X, Y, K\nCONFIG_SCHEMA = {{'a': [X, Y, K.X, K.Y]}}");
            let _ = schema(&tool, &[("a.py", &text), ("b.py", &text)]);
        }
    }
}
