//! Turns the pages of `docs/rules/` into constants, packs the schemas, names the commit, and links the program so that it starts
//! fast.

mod commit;
mod rule_page;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use miniz_oxide::deflate::compress_to_vec_zlib;

fn main() {
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed=docs/rules");
    println!("cargo::rerun-if-changed=docs/schema");
    if is_dynamic_gnu() {
        link_for_fast_start();
    }
    println!("cargo::rustc-env=RYE_RENDER_COMMIT={}", commit::commit());
    let folder = env::var_os("OUT_DIR").expect("Cargo sets OUT_DIR for build scripts");
    let folder = Path::new(&folder);
    for (made, name) in [(rules(), "rules.rs"), (schemas(folder), "schemas.rs")] {
        match made {
            Ok(text) => fs::write(folder.join(name), text).expect("OUT_DIR can be written"),
            Err(fault) => println!("cargo::error={fault}"),
        }
    }
}

/// The files of a folder, sorted.
fn files(folder: &str) -> Result<Vec<PathBuf>, String> {
    let found = fs::read_dir(folder).map_err(|error| format!("{folder}: {error}"))?;
    let mut paths: Vec<_> = found.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    Ok(paths)
}

/// Packs the schemas of `docs/schema/`, which would be a fiftieth of the program, and returns the source of their list.
fn schemas(out: &Path) -> Result<String, String> {
    let name = |path: PathBuf| Some(path.file_name()?.to_str()?.strip_suffix(".schema.json")?.to_string());
    let mut names: Vec<String> = files("docs/schema")?.into_iter().filter_map(name).collect();
    names.sort();
    let mut list = String::new();
    for name in names {
        let path = format!("docs/schema/{name}.schema.json");
        let text = fs::read(&path).map_err(|error| format!("{path}: {error}"))?;
        let packed = out.join(&name);
        fs::write(&packed, compress_to_vec_zlib(&text, 10))
            .map_err(|error| format!("{}: {error}", packed.display()))?;
        list += &format!("({name:?}, include_bytes!({packed:?})), ");
    }
    Ok(format!("static SCHEMAS: &[(&str, &[u8])] = &[{list}];\n"))
}

/// Returns the source of the rules: a constant for each page, and a list. An error begins with its place:
/// `docs/rules/RR105.md:3: …`.
fn rules() -> Result<String, String> {
    let (mut constants, mut list) = (String::new(), String::new());
    for path in files("docs/rules")?.into_iter().filter(|path| !path.ends_with("README.md")) {
        let page = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let code = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let constant = rule_page::constant(code, &page);
        constants += &constant.map_err(|(line, what)| format!("{}:{line}: {what}", path.display()))?;
        list += &format!("&{code}, ");
    }
    Ok(format!("{constants}/// Sorted by code.\npub static RULES: &[&Rule] = &[{list}];\n"))
}

/// Links the program at a fixed address. At any other address, the loader writes ten thousand pointers into fifty fresh
/// pages before `main`, which takes longer than most of the program's work. The program has no unsafe code that a
/// random address would protect.
///
/// Also links GCC's unwinder statically, if the linker has it: the shared library queries the processor's features
/// while it is loaded, which is slow in a virtual machine.
fn link_for_fast_start() {
    println!("cargo::rustc-link-arg-bins=-no-pie");
    let linker = env::var_os("RUSTC_LINKER").unwrap_or_else(|| "cc".into());
    let found = Command::new(linker).arg("-print-file-name=libgcc_eh.a").output();
    // If the linker does not have the file, it prints the name without a folder.
    if found.is_ok_and(|found| found.stdout.contains(&b'/')) {
        println!("cargo::rustc-link-lib=static:-bundle=gcc_eh");
    }
}

fn is_dynamic_gnu() -> bool {
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|it| it == value);
    let is_static =
        env::var("CARGO_CFG_TARGET_FEATURE").is_ok_and(|features| features.split(',').any(|it| it == "crt-static"));
    is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") && !is_static
}
