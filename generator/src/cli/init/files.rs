//! Writes the files of a new site, and replaces none.

use std::{
    fs::OpenOptions,
    io::{ErrorKind, Write as _},
    path::{Path, PathBuf},
};

use anyhow::Context as _;

use system::{
    access::{explained, make_folder},
    journal,
};

/// The files that a repository may have before it has content, beside hidden ones. Compared in capitals.
const BEFORE_CONTENT: [&str; 6] =
    ["README", "LICENSE", "LICENCE", "COPYING", "NOTICE", "CHANGELOG"];

/// Refuses a folder with anything in it that a new repository does not have.
pub(super) fn check_free(dir: &Path) -> anyhow::Result<()> {
    let entries = match std::fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => {
            let error = explained(dir)(error);
            return Err(error).with_context(|| format!("{} cannot be used", dir.display()));
        }
    };
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let in_the_way = names.filter(|name| {
        let capitals = name.to_uppercase();
        !name.starts_with('.') && !BEFORE_CONTENT.iter().any(|known| capitals.starts_with(known))
    });
    match in_the_way.min() {
        Some(name) => anyhow::bail!(
            "{} is not empty: it has {name}; name a new folder, or a checkout with no more than a README and a licence",
            dir.display()
        ),
        None => Ok(()),
    }
}

/// The files of a site being made.
pub(super) struct Files<'d> {
    dir: &'d Path,
    /// Files that were there and are as they were.
    pub(super) kept: Vec<String>,
    /// Files that were there and have new lines at their end.
    pub(super) extended: Vec<String>,
}

impl<'d> Files<'d> {
    pub(super) fn new(dir: &'d Path) -> anyhow::Result<Self> {
        make_folder(dir).with_context(|| format!("{} cannot be made", dir.display()))?;
        Ok(Self { dir, kept: Vec::new(), extended: Vec::new() })
    }

    /// Makes a file that must not be there.
    pub(super) fn create(&self, path: &str, text: &str) -> anyhow::Result<()> {
        let file = self.resolve(path)?;
        let made = OpenOptions::new().write(true).create_new(true).open(&file);
        let written = made.and_then(|mut file| file.write_all(text.as_bytes()));
        written
            .map_err(explained(&file))
            .with_context(|| format!("{} cannot be written", file.display()))
    }

    /// Makes a file, or leaves the one that is there alone.
    pub(super) fn create_unless_there(&mut self, path: &str, text: &str) -> anyhow::Result<()> {
        if self.dir.join(path).symlink_metadata().is_ok() {
            self.kept.push(path.to_owned());
            return Ok(());
        }
        self.create(path, text)
    }

    /// Makes a file, or adds the lines that the one that is there lacks.
    pub(super) fn extend(&mut self, path: &str, text: &str) -> anyhow::Result<()> {
        let file = self.resolve(path)?;
        match file.symlink_metadata() {
            Err(error) if error.kind() == ErrorKind::NotFound => return self.create(path, text),
            Ok(metadata) if !metadata.is_file() => {
                self.kept.push(path.to_owned());
                return Ok(());
            }
            _ => {}
        }
        let failed = || format!("{} cannot be extended", file.display());
        let there = std::fs::read_to_string(&file).with_context(failed)?;
        let missing: Vec<&str> =
            text.lines().filter(|line| !there.lines().any(|known| known == *line)).collect();
        if missing.is_empty() {
            return Ok(());
        }
        let gap = if there.is_empty() || there.ends_with('\n') { "" } else { "\n" };
        let mut file = OpenOptions::new().append(true).open(&file).with_context(failed)?;
        writeln!(file, "{gap}{}", missing.join("\n")).with_context(failed)?;
        self.extended.push(path.to_owned());
        Ok(())
    }

    /// The file of a path, in a folder that is there.
    fn resolve(&self, path: &str) -> anyhow::Result<PathBuf> {
        let file = journal::resolve(self.dir, path)
            .with_context(|| format!("nothing was written to {}", self.dir.display()))?;
        let parent = file.parent().unwrap_or(&file);
        make_folder(parent).with_context(|| format!("{} cannot be made", parent.display()))?;
        Ok(file)
    }
}

/// Sets a key of a skeleton file, whether it is an option there or a value.
pub(super) fn set(text: &str, key: &str, value: &str) -> String {
    let start = format!("{key} = ");
    let is_key = |line: &&str| line.strip_prefix("# ").unwrap_or(line).starts_with(&start);
    match text.lines().find(is_key) {
        Some(line) => text.replacen(line, &format!("{start}{value}"), 1),
        None => text.to_owned(),
    }
}

/// A text as TOML. JSON's escapes are TOML's.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
