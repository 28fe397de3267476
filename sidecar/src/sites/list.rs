//! The list of the sites: a folder with one publication each, or a file with the folder or address of each.

use std::{
    collections::{BTreeMap, HashMap},
    fs, io,
    path::{Component, Path, PathBuf},
};

use contract::problem::Place;
use serde::Deserialize;
use url::Host;

use crate::source::{BadAddress, Public};

/// A site of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ListedSite {
    /// The name of the site, then its other host names.
    pub(crate) hosts: Vec<String>,
    pub(crate) public: Public,
}

/// The reason why there is no list. The last one remains in use.
#[derive(Debug, thiserror::Error)]
pub enum ListError {
    /// The folder or file of the list cannot be read.
    #[error("cannot read the list of sites {path}: {source}")]
    Unreadable {
        /// The path as configured.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A list that had sites has none.
    #[error("{path} has no sites now; to serve none, stop the sidecar")]
    Empty {
        /// The path as configured.
        path: PathBuf,
    },
    /// The file is not a list.
    #[error(
        "{place}: {reason} (a line is \"reviews.example.com\" = \"FOLDER or https:// address\", or \
         = {{ public = \"…\", aliases = [\"…\"] }})"
    )]
    Syntax {
        /// The place in the file.
        place: Place,
        /// The message of the parser.
        reason: String,
    },
    /// An entry is not a name that a request could have.
    #[error("{path}: {name:?} is not a host name, such as reviews.example.com")]
    Name {
        /// The path of the list.
        path: PathBuf,
        /// The entry.
        name: String,
    },
    /// A host name is in the list twice.
    #[error("{path}: {host} is named twice, for {first} and for {second}: remove one")]
    Twice {
        /// The path of the list.
        path: PathBuf,
        /// The host name.
        host: String,
        /// The name of the site that has it first.
        first: String,
        /// The name of the other site.
        second: String,
    },
    /// A site has neither a folder nor an address.
    #[error("{path}: {name} cannot be fetched: {source}")]
    Address {
        /// The path of the file.
        path: PathBuf,
        /// The name of the site.
        name: String,
        /// The reason.
        source: BadAddress,
    },
}

/// A site of the file.
#[derive(Deserialize)]
#[serde(untagged, expecting = "this is neither a text in quotes nor a table of a site")]
enum Entry {
    Place(String),
    #[serde(rename_all = "snake_case")]
    Site {
        public: String,
        #[serde(default)]
        aliases: Vec<String>,
    },
}

/// Reads the list, sorted by name.
///
/// # Errors
/// When an entry is invalid: names the first one. No entry of such a list is used.
pub(crate) fn read(path: &Path) -> Result<Vec<ListedSite>, ListError> {
    let unreadable = |source| ListError::Unreadable { path: path.to_path_buf(), source };
    let is_folder = fs::metadata(path).map_err(unreadable)?.is_dir();
    let sites = if is_folder {
        of_folder(path)?
    } else {
        of_file(path, &fs::read_to_string(path).map_err(unreadable)?)?
    };
    let mut owners: HashMap<&str, &str> = HashMap::new();
    for site in &sites {
        for host in &site.hosts {
            let owner = site.hosts.first().unwrap_or(host);
            if let Some(first) = owners.insert(host, owner) {
                return Err(ListError::Twice {
                    path: path.to_path_buf(),
                    host: host.clone(),
                    first: first.to_owned(),
                    second: owner.clone(),
                });
            }
        }
    }
    Ok(sites)
}

/// Reads a list from a folder. Each folder in it has the name of its site. A symbolic link to a name in the same folder
/// is another name of that site. Files, and names that begin with a dot, are left out.
fn of_folder(folder: &Path) -> Result<Vec<ListedSite>, ListError> {
    let unreadable = |source| ListError::Unreadable { path: folder.to_path_buf(), source };
    let (mut sites, mut aliases) = (BTreeMap::new(), BTreeMap::new());
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        let kind = entry.file_type().map_err(unreadable)?;
        if name.starts_with('.') || !(kind.is_dir() || kind.is_symlink() && path.is_dir()) {
            continue;
        }
        let target = kind.is_symlink().then(|| path.read_link()).transpose();
        let target = target.map_err(unreadable)?;
        let host = host(folder, &name)?;
        match target.as_deref().and_then(name_beside) {
            Some(target) => drop(aliases.insert(name, (host, target))),
            None => drop(sites.insert(name, (vec![host], Public::Folder(path)))),
        }
    }
    for (host, target) in aliases.values() {
        let mut target = target;
        // The system follows no endless links either: each of these leads to a folder.
        while let Some((_, next)) = aliases.get(target) {
            target = next;
        }
        if let Some((hosts, _)) = sites.get_mut(target) {
            hosts.push(host.clone());
        }
    }
    Ok(sites.into_values().map(|(hosts, public)| ListedSite { hosts, public }).collect())
}

/// Returns the other name in its folder that a link leads to, if it does.
fn name_beside(target: &Path) -> Option<String> {
    let mut parts = target.components().filter(|part| *part != Component::CurDir);
    match (parts.next(), parts.next()) {
        (Some(Component::Normal(name)), None) => Some(name.to_string_lossy().into_owned()),
        _ => None,
    }
}

fn of_file(path: &Path, text: &str) -> Result<Vec<ListedSite>, ListError> {
    let syntax = |error: toml::de::Error| ListError::Syntax {
        place: Place::in_text(&path.display().to_string(), text, error.span().unwrap_or_default()),
        reason: error.message().replace('\n', " "),
    };
    let entries: BTreeMap<String, Entry> = toml::from_str(text).map_err(syntax)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    entries.into_iter().map(|(name, entry)| of_entry(path, folder, &name, entry)).collect()
}

fn of_entry(path: &Path, folder: &Path, name: &str, entry: Entry) -> Result<ListedSite, ListError> {
    let (place, aliases) = match entry {
        Entry::Place(place) => (place, Vec::new()),
        Entry::Site { public, aliases } => (public, aliases),
    };
    let hosts = std::iter::once(name).chain(aliases.iter().map(String::as_str));
    let hosts = hosts.map(|name| host(path, name)).collect::<Result<_, _>>()?;
    let address =
        |source| ListError::Address { path: path.to_path_buf(), name: name.to_owned(), source };
    let public = match Public::read(place.into()).map_err(address)? {
        // As seen from the list.
        Public::Folder(public) => Public::Folder(folder.join(public)),
        url @ Public::Url(_) => url,
    };
    Ok(ListedSite { hosts, public })
}

/// Returns a host name in the form that requests have: lower case, international names in ASCII.
fn host(path: &Path, name: &str) -> Result<String, ListError> {
    let parsed = Host::parse(name.trim_end_matches('.'));
    let is_plain = !name.contains(['/', ':', '@', '?', '#', '\\', '%']);
    let host = parsed.map(|host| host.to_string()).unwrap_or_default();
    // RFC 1035 section 2.3.4. It becomes the name of a folder.
    let has_labels = host.split('.').all(|label| (1..=63).contains(&label.len()));
    if is_plain && has_labels && host.len() <= 253 {
        Ok(host)
    } else {
        Err(ListError::Name { path: path.to_path_buf(), name: name.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> Result<Vec<ListedSite>, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sites.toml");
        fs::write(&path, text).unwrap();
        let at = format!("{}/", folder.path().display());
        let shown = |error: ListError| error.to_string().replace(&at, "");
        let mut sites = read(&path).map_err(shown)?;
        for site in &mut sites {
            if let Public::Folder(public) = &mut site.public {
                *public = public.strip_prefix(folder.path()).unwrap_or(public).to_path_buf();
            }
        }
        Ok(sites)
    }

    fn site(hosts: &[&str], public: &str) -> ListedSite {
        let hosts = hosts.iter().map(|host| (*host).to_owned()).collect();
        ListedSite { hosts, public: Public::read(public.into()).unwrap() }
    }

    #[test]
    fn a_file_says_where_each_site_is() {
        let listed = file(
            "\"B.example.\" = \"b/public\"\n\
             \"a.example\" = { public = \"/srv/a\", aliases = [\"old.example\", \"bücher.example\"] }\n\
             \"c.example\" = \"https://c.example/reviews\"\n",
        );
        let sites = vec![
            site(&["b.example"], "b/public"),
            site(&["a.example", "old.example", "xn--bcher-kva.example"], "/srv/a"),
            site(&["c.example"], "https://c.example/reviews"),
        ];
        assert_eq!(listed, Ok(sites));
    }

    #[test]
    fn an_invalid_file_is_refused_as_a_whole() {
        for (text, reason) in [
            (
                "\"%2e%2e\" = \"a\"",
                "sites.toml: \"%2e%2e\" is not a host name, such as reviews.example.com",
            ),
            (
                "\"。。\" = \"a\"",
                "sites.toml: \"。。\" is not a host name, such as reviews.example.com",
            ),
            (
                "\"a b\" = \"a\"",
                "sites.toml: \"a b\" is not a host name, such as reviews.example.com",
            ),
            (
                "\"https://a.example\" = \"a\"",
                "sites.toml: \"https://a.example\" is not a host name, such as reviews.example.com",
            ),
            (
                "\"a.example\" = \"a\"\n\"b.example\" = { public = \"b\", aliases = [\"A.example\"] }",
                "sites.toml: a.example is named twice, for a.example and for b.example: remove one",
            ),
            (
                "\"a.example\" = \"http://a.example\"",
                "sites.toml: a.example cannot be fetched: it must begin with https:// (http:// is \
                 for this machine alone, such as localhost)",
            ),
        ] {
            assert_eq!(file(text), Err(reason.to_owned()), "{text}");
        }
        let error = file("\"a.example\" = 5").unwrap_err();
        assert!(error.starts_with("sites.toml:1:15: this is neither a text"), "{error}");
        assert!(error.ends_with("or = { public = \"…\", aliases = [\"…\"] })"), "{error}");
    }

    #[test]
    #[cfg(unix)]
    fn a_folder_has_a_publication_by_name_and_links_for_other_names() {
        use std::os::unix::fs::symlink;

        let (folder, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let at = |name: &str| folder.path().join(name);
        for name in ["b.example", ".git", "A.example"] {
            fs::create_dir(at(name)).unwrap();
        }
        fs::write(at("README"), "").unwrap();
        symlink(elsewhere.path(), at("c.example")).unwrap();
        symlink("b.example", at("old.example")).unwrap();
        symlink("./old.example/", at("older.example")).unwrap();
        symlink("nowhere", at("dangling.example")).unwrap();
        let sites = read(folder.path()).unwrap();
        let hosts: Vec<_> = sites.iter().map(|site| site.hosts.join(" ")).collect();
        assert_eq!(hosts, ["a.example", "b.example old.example older.example", "c.example"]);
        assert_eq!(sites[2].public, Public::Folder(at("c.example")));
        fs::create_dir(at("a_b c")).unwrap();
        let error = read(folder.path()).unwrap_err().to_string();
        assert!(
            error.ends_with("\"a_b c\" is not a host name, such as reviews.example.com"),
            "{error}"
        );
        let missing = read(&at("missing")).unwrap_err().to_string();
        assert!(missing.starts_with("cannot read the list of sites "), "{missing}");
    }
}
