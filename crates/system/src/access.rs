//! Says what to do about a file operation that this user may not perform.

use std::{fs, io, path::Path};

/// Adds who may do it, and how, to the error of a file operation on this path that is not permitted. No other error
/// changes.
pub fn explained(path: &Path) -> impl FnOnce(io::Error) -> io::Error + '_ {
    move |error| with_remedy(error, path, false)
}

/// Makes a folder, and those around it that are missing.
///
/// # Errors
/// When it cannot be made, with what to do where that is not permitted.
pub fn make_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder).map_err(|error| with_remedy(error, folder, true))
}

/// An error that has a remedy is not the system's any more, and remains as it is.
fn with_remedy(error: io::Error, path: &Path, is_folder: bool) -> io::Error {
    let is_denied =
        error.raw_os_error().is_some() && error.kind() == io::ErrorKind::PermissionDenied;
    match is_denied.then(|| remedy(path, is_folder)).flatten() {
        Some(remedy) => io::Error::new(error.kind(), format!("{error}; {remedy}")),
        None => error,
    }
}

/// A folder that others may use is never to be given away: the remedy is another user, or a new folder.
#[cfg(unix)]
fn remedy(path: &Path, is_folder: bool) -> Option<String> {
    use std::os::unix::fs::MetadataExt;

    use contract::text::shell_word;
    use rustix::fs::{Access, access};

    let or_current = |path| if path == Path::new("") { Path::new(".") } else { path };
    let mut around = path.ancestors().map(or_current).filter(|it| it.symlink_metadata().is_ok());
    let nearest = around.next()?;
    // A file is replaced by a change of its folder.
    let above = around.next().filter(|_| nearest == path);
    let tried = if path.is_file() { [above, Some(nearest)] } else { [Some(nearest), above] };
    let refuses = |it: &&Path| {
        let search = if it.is_dir() { Access::EXEC_OK } else { Access::empty() };
        access(*it, Access::READ_OK | Access::WRITE_OK | search).is_err()
    };
    let found = tried.into_iter().flatten().find(refuses)?;
    let owner = found.metadata().ok()?.uid();
    let found =
        if found == Path::new(".") { std::env::current_dir().ok()? } else { found.to_owned() };
    let found = shell_word(found.display());
    Some(if owner == rustix::process::geteuid().as_raw() {
        format!("{found} is yours, and its mode does not permit it: chmod u+rwX {found}")
    } else if is_folder && nearest != path {
        let path = shell_word(path.display());
        format!(
            "{found} belongs to {}: make the folder as yours with: sudo install -d -o \"$(id -un)\" {path}",
            user(owner)
        )
    } else {
        let owner = user(owner);
        format!("{found} belongs to {owner}: run the command as {owner}")
    })
}

#[cfg(not(unix))]
fn remedy(_: &Path, _: bool) -> Option<String> {
    None
}

/// The name of a user of this machine, or the number where only a directory service has the name.
#[cfg(unix)]
fn user(id: u32) -> String {
    let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let found = users.lines().find_map(|line| {
        let (name, rest) = line.split_once(':')?;
        (rest.split(':').nth(1)? == id.to_string()).then(|| name.to_owned())
    });
    found.unwrap_or_else(|| format!("user {id}"))
}
