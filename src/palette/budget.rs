use crate::diagnostic::{Diagnostic, Problem};
use crate::prompt::Budget;
use crate::tokens::thousands;
use crate::value::{Value, python_str};
use crate::yaml::Node;

const CHARACTERS_PER_TOKEN: usize = 4;
/// What counts where no configuration says otherwise (Context Injection 2.0.0, "Token Budget and Prioritization").
const DEFAULT_TOKENS: usize = 2000;

/// `tool_preload` of `resilience.yaml`.
pub(super) struct Settings {
    pub enabled: bool,
    max_tokens: Option<Value>,
}

impl Settings {
    /// Reads the merged section. `max_tokens` that is no number gives a diagnostic, and the default counts.
    pub fn read(section: Option<&Node>, diagnostics: &mut Vec<Diagnostic>) -> Self {
        let key = |key| section.and_then(|section| section.get(key));
        let enabled = key("enabled").is_none_or(|enabled| enabled.value().is_true());
        let written = key("max_tokens").filter(|node| !node.value().is_null());
        let max_tokens = written.and_then(|node| match node.value() {
            value @ (Value::Int(_) | Value::Float(_) | Value::Bool(_)) => Some(value),
            value => {
                let problem = Problem::ToolBudgetInvalid { value: python_str(&value), counts: DEFAULT_TOKENS };
                diagnostics.push(Diagnostic { problem, at: node.span.as_ref().map(Into::into) });
                None
            }
        });
        Self { enabled, max_tokens }
    }

    pub fn meter(&self) -> Meter {
        let tokens = |tokens: usize| (tokens, tokens.saturating_mul(CHARACTERS_PER_TOKEN));
        let (limit, characters) = match &self.max_tokens {
            // Part of a token is worth characters, too; what is negative is nothing.
            Some(Value::Float(float)) => (*float as usize, (float * CHARACTERS_PER_TOKEN as f64) as usize),
            Some(Value::Bool(value)) => tokens(usize::from(*value)),
            Some(Value::Int(int)) if int.sign() == num_bigint::Sign::Minus => tokens(0),
            Some(Value::Int(int)) => tokens(usize::try_from(int).unwrap_or(usize::MAX)),
            _ => tokens(DEFAULT_TOKENS),
        };
        Meter { limit, characters, used: 0 }
    }
}

pub(super) struct Meter {
    /// In tokens, as configured.
    limit: usize,
    /// The same in characters.
    characters: usize,
    /// In characters.
    used: usize,
}

impl Meter {
    /// How many characters fit.
    pub fn characters(&self) -> usize {
        self.characters
    }

    /// Takes the size of a tool that is never dropped.
    pub fn add(&mut self, characters: usize) {
        self.used = self.used.saturating_add(characters);
    }

    /// Takes the size of a tool that must fit, exactly full included. The error says why it does not.
    pub fn take(&mut self, characters: usize) -> Result<(), String> {
        if self.used.saturating_add(characters) > self.characters {
            let [used, limit, needed] = [tokens(self.used), self.limit, tokens(characters)].map(thousands);
            return Err(format!("{used} of {limit} tokens used, needs {needed}"));
        }
        self.used += characters;
        Ok(())
    }

    /// In tokens, for output.
    pub fn budget(&self) -> Budget {
        Budget { used: tokens(self.used), limit: self.limit }
    }
}

fn tokens(characters: usize) -> usize {
    characters.div_ceil(CHARACTERS_PER_TOKEN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Map;

    fn settings(key: &str, value: Value) -> (Settings, Vec<Diagnostic>) {
        let section = Node::of(&Value::Map(Map::from([(Value::from(key), value)])));
        let mut diagnostics = Vec::new();
        (Settings::read(Some(&section), &mut diagnostics), diagnostics)
    }

    #[test]
    fn exactly_full_still_fits() {
        let mut meter = settings("max_tokens", Value::from(500)).0.meter();
        meter.add(1959);
        assert_eq!(meter.take(42), Err("490 of 500 tokens used, needs 11".to_string()));
        assert_eq!(meter.take(41), Ok(()));
        assert_eq!(meter.budget(), Budget { used: 500, limit: 500 });
        assert_eq!(meter.take(0), Ok(()));
    }

    #[test]
    fn numbers_of_any_kind_are_limits() {
        let limit = |value| {
            let meter = settings("max_tokens", value).0.meter();
            (meter.limit, meter.characters)
        };
        assert_eq!(limit(Value::Float(1.5)), (1, 6));
        assert_eq!(limit(Value::from(-3)), (0, 0));
        assert_eq!(limit(Value::from(true)), (1, 4));
        assert_eq!(limit(Value::Int(num_bigint::BigInt::from(1u8) << 200)), (usize::MAX, usize::MAX));
        assert_eq!(limit(Value::Null), (2000, 8000));
        assert_eq!(settings("max_tokens", Value::from("many")).1.len(), 1);
    }

    #[test]
    fn truth_is_pythons() {
        assert!(!settings("enabled", Value::from(0)).0.enabled);
        assert!(!settings("enabled", Value::from("")).0.enabled);
        assert!(settings("enabled", Value::from("false")).0.enabled);
        assert!(settings("other", Value::Null).0.enabled);
    }
}
