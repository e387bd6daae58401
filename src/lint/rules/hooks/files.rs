//! Files that nearly all examples of this group have beside their hook. They are macros, since `concat!` takes nothing but
//! literals.

/// A directive that names nothing.
macro_rules! deploying {
    () => {
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
  </metadata>
</directive>
```

Deploy what is ready.
"#
    };
}

/// Knowledge for a hook to bring in.
macro_rules! rules_of_deploying {
    () => {
        r#"=== .ai/knowledge/deploy/rules.md
```yaml
name: rules
title: Rules of deploying
version: 1.0.0
entry_type: reference
category: deploy
```

Never deploy on a Friday.
"#
    };
}
