//! The publications to answer from: one, or several that the argument `site` distinguishes.

use std::sync::Arc;

use contract::mcp::{TOOLS, Tool, ToolName};
use serde_json::{Map, Value};

use super::text::quoted;
use crate::publication::snapshot::Snapshot;

/// The argument that selects one of several sites.
pub(super) const SITE: &str = "site";

/// The sites to answer from, in the order of the command line; one for requests over HTTP.
#[derive(Clone, Debug)]
pub(crate) struct Served(Arc<[ServedSite]>);

/// One of these sites.
#[derive(Debug)]
pub(crate) struct ServedSite {
    /// The address without the scheme; empty for the only site.
    pub(crate) name: String,
    pub(crate) snapshot: Arc<Snapshot>,
}

impl From<Arc<Snapshot>> for Served {
    fn from(snapshot: Arc<Snapshot>) -> Self {
        Self::of([ServedSite { name: String::new(), snapshot }])
    }
}

impl Served {
    pub(crate) fn of(sites: impl IntoIterator<Item = ServedSite>) -> Self {
        Self(sites.into_iter().collect())
    }

    pub(super) fn sites(&self) -> &[ServedSite] {
        &self.0
    }

    /// Returns the only site. Then no argument names it.
    pub(super) fn only(&self) -> Option<&Arc<Snapshot>> {
        match self.sites() {
            [only] => Some(&only.snapshot),
            _ => None,
        }
    }

    /// Returns the offered tools: some need a transparency log, some several sites.
    pub(super) fn tools(&self) -> impl Iterator<Item = &'static Tool> {
        let has_log = self.sites().iter().any(|site| site.snapshot.log().is_some());
        let has_several = self.only().is_none();
        TOOLS.iter().filter(move |tool| match tool.name {
            ToolName::CompareBusinesses => has_several,
            _ => tool.is_offered(has_log),
        })
    }

    /// Returns the tool of this name, if it is offered.
    pub(super) fn find(&self, name: &str) -> Option<&'static Tool> {
        self.tools().find(|tool| tool.name.as_str() == name)
    }

    /// Returns the site that a call is about. A call that compares all sites names none.
    ///
    /// # Errors
    /// As [`Self::chosen`].
    pub(super) fn asked(
        &self,
        tool: &Tool,
        arguments: &mut Map<String, Value>,
    ) -> Result<&Arc<Snapshot>, String> {
        match self.sites() {
            [first, ..] if tool.name == ToolName::CompareBusinesses => Ok(&first.snapshot),
            _ => self.chosen(arguments),
        }
    }

    /// Returns the site that the arguments name, and removes the name from them.
    ///
    /// # Errors
    /// When there are several and none has the name.
    pub(super) fn chosen(
        &self,
        arguments: &mut Map<String, Value>,
    ) -> Result<&Arc<Snapshot>, String> {
        if let Some(only) = self.only() {
            return Ok(only);
        }
        let given = arguments.remove(SITE);
        let name = given.as_ref().and_then(Value::as_str).unwrap_or_default();
        let plain = name.split_once("://").map_or(name, |(_, rest)| rest).trim_end_matches('/');
        let mut sites = self.sites().iter();
        match sites.find(|site| site.name.eq_ignore_ascii_case(plain)) {
            Some(site) => Ok(&site.snapshot),
            None => {
                let known: Vec<_> = self.sites().iter().map(|site| &*site.name).collect();
                Err(format!(
                    "{SITE} must be one of {}; received {}",
                    known.join(", "),
                    given.as_ref().map_or_else(|| "nothing".to_owned(), |_| quoted(name))
                ))
            }
        }
    }
}
