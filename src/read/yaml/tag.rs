//! Tags of PyYAML's safe loader.

use strum::EnumString;

#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString)]
#[strum(serialize_all = "lowercase")]
pub(super) enum YamlTag {
    Null,
    Bool,
    Int,
    Float,
    Binary,
    Timestamp,
    Omap,
    Pairs,
    Set,
    Str,
    Seq,
    Map,
    /// The key `<<`.
    Merge,
    /// The key `=`.
    #[strum(serialize = "value")]
    Default,
}

impl YamlTag {
    /// `name` is the full name, such as `tag:yaml.org,2002:int`.
    pub fn named(name: &str) -> Option<Self> {
        name.strip_prefix("tag:yaml.org,2002:")?.parse().ok()
    }
}
