//! Renders the pages of a site whose owner has templates, to find their faults.

use std::{collections::BTreeSet, io, path::Path};

use crate::{
    document::{Document, HTML, RenderError},
    site,
};
use content::dataset::Dataset;
use contract::problem::{Place, Report};
use insights::TemplateFault;

/// Reports faults that would end a build: one for each line, however many pages have it. Nothing is rendered for a site
/// without templates of its own.
pub(super) fn check(dir: &Path, data: &Dataset, report: &Report) {
    let own = &data.site.appearance.templates;
    if own.keys().all(|name| !name.ends_with(".html")) {
        return;
    }
    let faults: BTreeSet<TemplateFault> = match site::documents(data) {
        Ok(documents) => faults(&documents),
        Err(error) => template_fault(error).into_iter().collect(),
    };
    for fault in faults {
        let name = fault.template.as_deref().unwrap_or_default();
        let help = fault.help.unwrap_or("correct the name, or put it into {% if … is defined %}; candor templates values lists the values");
        match own.get(name) {
            Some(template) => {
                let place = template.place_of(&fault);
                report.error("template-value", place, fault.message, help);
            }
            None => {
                // A built-in template includes one of the site that does not fit.
                let place = Place::file(dir.join("templates").display().to_string());
                report.error("template-value", place, format!("in the built-in {fault}"), help);
            }
        }
    }
}

/// Collects the faults, up to the first page that costs too much: it takes long, and others likely do too.
fn faults(documents: &[Document<'_>]) -> BTreeSet<TemplateFault> {
    let mut faults = BTreeSet::new();
    for fault in documents.iter().filter_map(fault) {
        let costs_too_much = fault.help.is_some();
        faults.insert(fault);
        if costs_too_much {
            break;
        }
    }
    faults
}

fn fault(document: &Document<'_>) -> Option<TemplateFault> {
    if document.media_type != HTML {
        return None;
    }
    let error = document.body.write_to(&mut io::sink()).err()?;
    template_fault(error.downcast().ok()?)
}

fn template_fault(error: RenderError) -> Option<TemplateFault> {
    match error {
        RenderError::Template(fault) => Some(fault),
        _ => None,
    }
}
