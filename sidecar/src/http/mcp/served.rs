//! The publications to answer from: one, or several that the argument `site` distinguishes.

use std::sync::Arc;

use contract::{
    mcp::{TOOLS, Tool, ToolName},
    query::shortened,
};
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
    /// The address without the scheme; empty for this process's own site, whose texts are the operator's.
    pub(crate) name: String,
    /// The publication, or the reason why there is none.
    pub(crate) snapshot: Result<Arc<Snapshot>, String>,
}

impl From<Arc<Snapshot>> for Served {
    fn from(snapshot: Arc<Snapshot>) -> Self {
        Self::of([ServedSite { name: String::new(), snapshot: Ok(snapshot) }])
    }
}

impl Served {
    pub(crate) fn of(sites: impl IntoIterator<Item = ServedSite>) -> Self {
        Self(sites.into_iter().collect())
    }

    pub(super) fn sites(&self) -> &[ServedSite] {
        &self.0
    }

    /// Returns the publications that there are, with the names of their sites.
    pub(super) fn loaded(&self) -> impl Iterator<Item = (&str, &Arc<Snapshot>)> {
        self.sites().iter().filter_map(|site| Some((&*site.name, site.snapshot.as_ref().ok()?)))
    }

    /// Returns the only site. Then no argument names it.
    pub(super) fn only(&self) -> Option<(&str, &Arc<Snapshot>)> {
        self.loaded().next().filter(|_| self.sites().len() == 1)
    }

    /// Returns the names of several sites, in the order of the command line; none of the only one.
    pub(super) fn names(&self) -> Vec<&str> {
        let several = self.sites().iter().filter(|_| self.only().is_none());
        several.map(|site| site.name.as_str()).collect()
    }

    /// Returns the offered tools: some need a transparency log, some several sites.
    pub(super) fn tools(&self) -> impl Iterator<Item = &'static Tool> {
        let has_log = self.loaded().any(|(_, snapshot)| snapshot.log().is_some());
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

    /// Returns the site that a call is about, with its name. A call that compares all sites names none.
    ///
    /// # Errors
    /// As [`Self::chosen`].
    pub(super) fn asked(
        &self,
        tool: &Tool,
        arguments: &mut Map<String, Value>,
    ) -> Result<(&str, &Arc<Snapshot>), String> {
        match self.loaded().next() {
            Some(first) if tool.name == ToolName::CompareBusinesses => Ok(first),
            _ => self.chosen(arguments),
        }
    }

    /// Returns the site that the arguments name, and removes the name from them.
    ///
    /// # Errors
    /// When there are several and none has the name, or the one that has it cannot be used.
    pub(super) fn chosen(
        &self,
        arguments: &mut Map<String, Value>,
    ) -> Result<(&str, &Arc<Snapshot>), String> {
        if let Some(only) = self.only() {
            return Ok(only);
        }
        let given = arguments.remove(SITE);
        let name = given.as_ref().and_then(Value::as_str).unwrap_or_default();
        let plain = name.split_once("://").map_or(name, |(_, rest)| rest).trim_end_matches('/');
        let mut sites = self.sites().iter();
        match sites.find(|site| site.name.eq_ignore_ascii_case(plain)) {
            Some(ServedSite { name, snapshot: Ok(snapshot) }) => Ok((name, snapshot)),
            Some(ServedSite { snapshot: Err(reason), .. }) => Err(reason.clone()),
            None => Err(format!(
                "{SITE} must be one of {}; received {}",
                self.names().join(", "),
                match &given {
                    None => "nothing".to_owned(),
                    Some(Value::String(_)) => quoted(name),
                    Some(other) => shortened(&other.to_string()),
                }
            )),
        }
    }
}
