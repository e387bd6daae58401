use crate::diagnostic::{Diagnostic, Problem};
use crate::prompt::PaletteBudget;
use crate::read::value::{Value, python_str};
use crate::read::yaml::YamlNode;
use crate::text::numbers::thousands;

/// The documents' estimate.
const CHARACTERS_PER_TOKEN: usize = 4;
/// The default if no configuration sets one (Context Injection 2.0.0, "Token Budget and Prioritization").
pub const DEFAULT_TOKENS: usize = 2000;

/// The budget of `tool_preload` in `resilience.yaml`, and how much of it is used.
pub(super) struct Meter {
    /// Whether tools are registered at all.
    pub enabled: bool,
    /// In tokens, as configured.
    limit: usize,
    /// The budget in characters.
    pub characters: usize,
    /// In characters.
    used: usize,
}

impl Meter {
    /// Reads the merged section. A `max_tokens` that is not a number adds a diagnostic, and the default applies.
    pub fn read(section: Option<&YamlNode>, diagnostics: &mut Vec<Diagnostic>) -> Self {
        let key = |key| section.and_then(|section| section.get(key));
        let enabled = key("enabled").is_none_or(|enabled| enabled.value().is_true());
        let tokens = |tokens: usize| (tokens, tokens.saturating_mul(CHARACTERS_PER_TOKEN));
        let max_tokens = key("max_tokens");
        let (limit, characters) = match max_tokens.map(YamlNode::value).unwrap_or_default() {
            Value::Null => tokens(DEFAULT_TOKENS),
            // A fraction of a token also allows characters; a negative number allows none.
            Value::Float(float) => (float as usize, (float * CHARACTERS_PER_TOKEN as f64) as usize),
            Value::Bool(value) => tokens(usize::from(value)),
            Value::Int(int) if int.sign() == num_bigint::Sign::Minus => tokens(0),
            Value::Int(int) => tokens(usize::try_from(&int).unwrap_or(usize::MAX)),
            value => {
                let problem = Problem::ToolBudgetInvalid { value: python_str(&value), default: DEFAULT_TOKENS };
                let at = max_tokens.and_then(|node| node.span.as_ref()).map(Into::into);
                diagnostics.push(Diagnostic { problem, at });
                tokens(DEFAULT_TOKENS)
            }
        };
        Self { enabled, limit, characters, used: 0 }
    }

    /// Adds the size of a tool that is never dropped.
    pub fn add(&mut self, characters: usize) {
        self.used = self.used.saturating_add(characters);
    }

    /// Adds the size of a tool that must fit; it may fill the budget exactly. The error says why it does not fit.
    pub fn take(&mut self, characters: usize) -> Result<(), String> {
        if self.used.saturating_add(characters) > self.characters {
            let [used, limit, needed] = [tokens(self.used), self.limit, tokens(characters)].map(thousands);
            return Err(format!("{used} of {limit} tokens used, needs {needed}"));
        }
        self.used += characters;
        Ok(())
    }

    pub fn budget(&self) -> PaletteBudget {
        PaletteBudget { used: tokens(self.used), limit: self.limit }
    }
}

fn tokens(characters: usize) -> usize {
    characters.div_ceil(CHARACTERS_PER_TOKEN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::value::Map;

    fn meter(key: &str, value: Value) -> (Meter, Vec<Diagnostic>) {
        let section = YamlNode::of(&Value::Map(Map::from([(Value::from(key), value)])));
        let mut diagnostics = Vec::new();
        (Meter::read(Some(&section), &mut diagnostics), diagnostics)
    }

    #[test]
    fn a_tool_that_fills_the_budget_exactly_fits() {
        let mut meter = meter("max_tokens", Value::from(500)).0;
        meter.add(1959);
        assert_eq!(meter.take(42), Err("490 of 500 tokens used, needs 11".to_string()));
        assert_eq!(meter.take(41), Ok(()));
        assert_eq!(meter.budget(), PaletteBudget { used: 500, limit: 500 });
        assert_eq!(meter.take(0), Ok(()));
    }

    #[test]
    fn numbers_of_any_kind_are_limits() {
        let limit = |value| {
            let meter = meter("max_tokens", value).0;
            (meter.limit, meter.characters)
        };
        assert_eq!(limit(Value::Float(1.5)), (1, 6));
        assert_eq!(limit(Value::from(-3)), (0, 0));
        assert_eq!(limit(Value::from(true)), (1, 4));
        assert_eq!(limit(Value::Int(num_bigint::BigInt::from(1u8) << 200)), (usize::MAX, usize::MAX));
        assert_eq!(limit(Value::Null), (2000, 8000));
        assert_eq!(meter("max_tokens", Value::from("many")).1.len(), 1);
    }

    #[test]
    fn truth_follows_python() {
        assert!(!meter("enabled", Value::from(0)).0.enabled);
        assert!(!meter("enabled", Value::from("")).0.enabled);
        assert!(meter("enabled", Value::from("false")).0.enabled);
        assert!(meter("other", Value::Null).0.enabled);
    }
}
