//! Tags of PyYAML's safe loader.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tag {
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
    Default,
}

impl Tag {
    /// The full name is `tag:yaml.org,2002:int`.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name.strip_prefix("tag:yaml.org,2002:")? {
            "null" => Self::Null,
            "bool" => Self::Bool,
            "int" => Self::Int,
            "float" => Self::Float,
            "binary" => Self::Binary,
            "timestamp" => Self::Timestamp,
            "omap" => Self::Omap,
            "pairs" => Self::Pairs,
            "set" => Self::Set,
            "str" => Self::Str,
            "seq" => Self::Seq,
            "map" => Self::Map,
            "merge" => Self::Merge,
            "value" => Self::Default,
            _ => return None,
        })
    }
}
