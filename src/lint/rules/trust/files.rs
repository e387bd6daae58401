//! Files that many examples share: signed by keys that nobody has any more, they are the same to the byte wherever they
//! stand. They are macros, since `concat!` takes nothing but literals.

/// The trusted key of Ana, in the tier of the user.
macro_rules! key_of_ana {
    () => {
        r#"=== user:.ai/config/keys/trusted/73ab020d466844fe.toml
fingerprint = "73ab020d466844fe"
owner = "ana"

[public_key]
pem = """
-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAQlXi5PwO74jnfZDgbB8aTwTOn3jdUAY+XLKbtuX6lN8=
-----END PUBLIC KEY-----
"""
"#
    };
}

/// Knowledge that she has signed.
macro_rules! rules_by_ana {
    () => {
        r#"=== .ai/knowledge/garden/rules.md
<!-- rye:signed:2026-01-02T03:04:05Z:463d9e50dfa04e632e1d6e9130c55cc299a0e4b3b547fb1af4d25d83169c4a88:I7Enou4xSrT3-6vPo4NICOhbSRtZAhEqLYRw_pir_9EbzR_MMjzbAJ0GWMQPGEvZlFZ1g9s7kasaTvZjgREVDQ:73ab020d466844fe -->
```yaml
name: rules
title: Rules of the garden
entry_type: reference
category: garden
version: "1.0.0"
```

Never water at noon.
"#
    };
}

/// A directive that places it.
macro_rules! watering {
    () => {
        r#"=== .ai/directives/garden/water.md
```xml
<directive name="water" version="1.0.0">
  <metadata>
    <description>Water the garden</description>
    <category>garden</category>
    <context><before>garden/rules</before></context>
  </metadata>
</directive>
```

Water what is dry.
"#
    };
}

/// A directive whose parent places it.
#[cfg(test)]
macro_rules! watering_by_parent {
    () => {
        r#"=== .ai/directives/garden/base.md
```xml
<directive name="base" version="1.0.0">
  <metadata>
    <description>What holds in the garden</description>
    <category>garden</category>
    <context><before>garden/rules</before></context>
  </metadata>
</directive>
```

Mind the rules.
=== .ai/directives/garden/water.md
```xml
<directive name="water" version="1.0.0" extends="garden/base">
  <metadata>
    <description>Water the garden</description>
    <category>garden</category>
  </metadata>
</directive>
```

Water what is dry.
"#
    };
}
