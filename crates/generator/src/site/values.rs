//! The values that each template gets, recorded while the pages of a site are rendered: for owners who write templates
//! of their own.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Mutex, PoisonError},
};

use minijinja::{Value, value::ValueKind};

/// The values by template: the path of each, such as `view.reviews[].author`, and its types.
pub(crate) type TemplateValues = BTreeMap<String, BTreeMap<String, BTreeSet<&'static str>>>;

/// The key of values that all templates get.
pub(super) const EVERY_TEMPLATE: &str = "every template";
/// The key of values that all templates of pages get.
pub(super) const EVERY_PAGE: &str = "every page";

/// Records values while pages are rendered, on any thread.
#[derive(Debug, Default)]
pub(super) struct ValueLog(Mutex<TemplateValues>);

impl ValueLog {
    /// Records that a template got a value under this name.
    pub(super) fn note(&self, template: &str, name: &str, value: &Value) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        note(all.entry(template.to_owned()).or_default(), name.to_owned(), value);
    }

    /// Returns the recorded values.
    pub(super) fn values(&self) -> TemplateValues {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn note(paths: &mut BTreeMap<String, BTreeSet<&'static str>>, path: String, value: &Value) {
    let word = match value.kind() {
        ValueKind::None | ValueKind::Undefined => "none",
        ValueKind::Bool => "true or false",
        ValueKind::Number => "number",
        ValueKind::Seq | ValueKind::Iterable if value.len() == Some(0) => "empty list",
        ValueKind::Seq | ValueKind::Iterable => {
            let items = value.try_iter().into_iter().flatten();
            return items.for_each(|item| note(paths, format!("{path}[]"), &item));
        }
        ValueKind::Map => {
            let keys = value.try_iter().into_iter().flatten();
            let inner = keys.filter_map(|key| Some((value.get_item(&key).ok()?, key)));
            return inner.for_each(|(inner, key)| note(paths, format!("{path}.{key}"), &inner));
        }
        _ => "text",
    };
    paths.entry(path).or_default().insert(word);
}
