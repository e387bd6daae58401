pub const KEYS: [&str; 5] = ["protocol", "protocols", "agents", "examples", "lint"];

pub const LINT_KEYS: [&str; 8] = ["select", "ignore", "fail_on", "exclude", "rules", "options", "paths", "budgets"];

pub const PATHS_KEYS: [&str; 3] = ["files", "ignore", "rules"];
