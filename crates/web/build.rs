//! Bundles the pages from `ui` with the packages of its lock file, and lists the files to embed in the binary.
//!
//! Everything happens in `OUT_DIR`. Without Node.js, or without the packages, the list is empty: the build goes on,
//! and the server says how to get the pages. `ERRARE_PAGES=required` makes that an error, `ERRARE_PAGES=none` leaves
//! them out.

use std::{
    env,
    error::Error,
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    path::{Path, PathBuf},
    process::Command,
};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=ui");
    println!("cargo::rerun-if-env-changed=ERRARE_PAGES");
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("no OUT_DIR")?);
    let wish = env::var("ERRARE_PAGES").unwrap_or_default();
    let mut list = "static ASSETS: &[Asset] = &[".to_owned();
    if wish != "none" {
        match bundle(&out) {
            Ok(files) => {
                for file in files {
                    list += &entry(&file)?;
                }
            }
            Err(error) if wish == "required" => return Err(error),
            Err(error) => println!("cargo::warning=the pages are left out: {error}"),
        }
    }
    list += "];\n";
    fs::write(out.join("assets.rs"), list)?;
    Ok(())
}

/// Builds in a copy, so that the sources stay unchanged, and returns the resulting files.
fn bundle(out: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let source = Path::new("ui");
    let copy = out.join("ui");
    for part in ["src", "style", "static"] {
        let _ = fs::remove_dir_all(copy.join(part));
        copy_directory(&source.join(part), &copy.join(part))?;
    }
    for file in ["package.json", "bundle.mjs", "tsconfig.json"] {
        fs::copy(source.join(file), copy.join(file))?;
    }
    let lock = fs::read(source.join("package-lock.json"))?;
    // Packages are installed once per lock file.
    let installed = copy.join("node_modules/.installed");
    if fs::read(&installed).ok().as_ref() != Some(&lock) {
        fs::write(copy.join("package-lock.json"), &lock)?;
        run(
            Command::new("npm").args([
                "ci",
                "--omit=dev",
                "--ignore-scripts",
                "--no-audit",
                "--no-fund",
            ]),
            &copy,
        )?;
        fs::write(&installed, &lock)?;
    }
    let _ = fs::remove_dir_all(copy.join("dist"));
    run(Command::new("node").arg("bundle.mjs"), &copy)?;
    let mut files: Vec<PathBuf> = fs::read_dir(copy.join("dist"))?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    files.sort();
    Ok(files)
}

fn run(command: &mut Command, directory: &Path) -> Result<(), Box<dyn Error>> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.current_dir(directory).output().map_err(|error| {
        format!("{name} does not start ({error}); install Node.js 20 or later with npm")
    })?;
    match output.status.success() {
        true => Ok(()),
        false => {
            let said = String::from_utf8_lossy(&output.stderr);
            let lines: Vec<&str> = said
                .lines()
                .filter(|line| !line.trim().is_empty())
                .collect();
            let last = lines[lines.len().saturating_sub(5)..].join(" | ");
            Err(format!("{name} failed: {last}").into())
        }
    }
}

fn copy_directory(from: &Path, to: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        match entry.file_type()?.is_dir() {
            true => copy_directory(&entry.path(), &target)?,
            false => {
                fs::copy(entry.path(), target)?;
            }
        }
    }
    Ok(())
}

/// One file as an element of the list.
fn entry(file: &Path) -> Result<String, Box<dyn Error>> {
    let name = file
        .file_name()
        .ok_or("a file has a name")?
        .to_string_lossy();
    let mut hasher = DefaultHasher::new();
    fs::read(file)?.hash(&mut hasher);
    let tag = format!("\"{:016x}\"", hasher.finish());
    Ok(format!(
        "Asset {{ name: {name:?}, tag: {tag:?}, bytes: include_bytes!({:?}) }},",
        file.display().to_string()
    ))
}
