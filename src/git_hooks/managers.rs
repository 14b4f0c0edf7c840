//! Where managers of hooks keep what they run.

/// Files of lefthook, from the top of a work tree.
pub const LEFTHOOK: &[&str] = &[
    "lefthook.yml",
    "lefthook.yaml",
    "lefthook.toml",
    "lefthook.json",
    "lefthook.jsonc",
    ".lefthook.yml",
    ".lefthook.yaml",
    ".lefthook.toml",
    ".lefthook.json",
    ".lefthook.jsonc",
    ".config/lefthook.yml",
    ".config/lefthook.yaml",
    ".config/lefthook.toml",
    ".config/lefthook.json",
];

/// Files of pre-commit, which prek reads too.
pub const PRE_COMMIT: &[&str] = &[".pre-commit-config.yaml", ".pre-commit-config.yml"];

/// Prek's own file.
pub const PREK: &[&str] = &["prek.toml"];
