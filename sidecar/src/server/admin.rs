//! Health checks and metrics, on a listener of their own.

use std::sync::Arc;

use actix_web::{
    HttpResponse, guard,
    http::{StatusCode, header::CACHE_CONTROL},
    web::{self, ServiceConfig},
};
use contract::{api::ErrorBody, fields::NO_STORE};
use jiff::Timestamp;
use metrics::with_local_recorder;
use metrics_exporter_prometheus::PrometheusBuilder;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    hub::HubHandle,
    publication::{published::PublicationRefusal, snapshot::Snapshot},
    runtime::degraded::Degraded,
    server::{imports, process, site_reports},
    sites::{Sites, site::Site},
    source,
    transport::traffic::Traffic,
};

/// The state that the routes report.
pub(crate) struct Reports {
    pub(crate) sites: Arc<Sites>,
    pub(crate) hub: HubHandle,
    pub(crate) degraded: Arc<Degraded>,
    pub(crate) traffic: Arc<Traffic>,
    pub(crate) started: Timestamp,
}

/// The table of routes.
pub(crate) fn configure(routes: &mut ServiceConfig) {
    let reads = || guard::Any(guard::Get()).or(guard::Head());
    routes
        .route("/healthz", web::route().guard(reads()).to(healthz))
        .route("/readyz", web::route().guard(reads()).to(readyz))
        .route("/sites", web::route().guard(reads()).to(sites))
        .route("/metrics", web::route().guard(reads()).to(metrics))
        .default_service(web::to(not_found));
}

/// Answers that the process runs.
async fn healthz() -> HttpResponse {
    response(StatusCode::OK, &json!({ "status": "ok" }))
}

/// The query that selects one of several sites.
#[derive(Deserialize)]
struct OfSite {
    site: Option<String>,
}

/// Answers whether requests can be answered: the only site of the process, the named site, or those of the list. Faults
/// that reads do not depend on do not make the sidecar unready.
async fn readyz(reports: web::Data<Reports>, of: web::Query<OfSite>) -> HttpResponse {
    let Reports { sites, hub, degraded, .. } = &**reports;
    let named = of.site.as_deref().map(|name| sites.of_host(name));
    let (mut report, reason) = match named.unwrap_or_else(|| sites.only()) {
        None if of.site.is_some() => {
            let body = ErrorBody::new("not_found", "No site of the list has this name.");
            return response(StatusCode::NOT_FOUND, &body);
        }
        Some(site) => describe_site(&site),
        None => (site_reports::describe(sites), None),
    };
    report["hub"] = hub.health().describe();
    if let Some(degraded) = degraded.describe(hub.health().store_fault()) {
        report["degraded"] = degraded;
    }
    match reason {
        None => {
            report["status"] = "ready".into();
            response(StatusCode::OK, &report)
        }
        Some(reason) => {
            report["status"] = "unavailable".into();
            report["reason"] = reason.into();
            response(StatusCode::SERVICE_UNAVAILABLE, &report)
        }
    }
}

/// Describes a site, with the reason why it cannot be served, if it cannot. An unreachable source does not make it
/// unready: otherwise an outage of the site's host would stop all its sidecars. Nor does a publication with a wrong
/// time, which would have the same effect.
fn describe_site(site: &Site) -> (Value, Option<String>) {
    let published = &site.published;
    let mut report = published.current().as_deref().map_or_else(|| json!({}), describe);
    report["source"] = site.health.describe();
    let refusal = published.refusal();
    let reason = match (report.get("build_id"), published.overdue_refusal()) {
        (None, _) => match &refusal {
            Some(refusal) => Some(format!("no data is loaded: {}", refusal.reason)),
            // Its first request loads it.
            None => site.is_only().then(|| "no data is loaded".to_owned()),
        },
        (_, Some(overdue)) if !overdue.is_outage && !overdue.is_about_time => {
            Some(overdue.reason.clone())
        }
        _ => None,
    };
    if let Some(refusal) = refusal.filter(|refusal| !refusal.is_outage).as_deref() {
        report["refused"] = describe_refusal(refusal);
    }
    (report, reason)
}

/// Answers with every site of the list, for `candor-sidecar sites`.
async fn sites(reports: web::Data<Reports>) -> HttpResponse {
    response(StatusCode::OK, &site_reports::list(&reports.sites))
}

/// Answers with the metrics in the text format of Prometheus. Values that are looked up for each response have a
/// recorder of their own: a site that has left the list, and a source that is no longer published, have no line.
async fn metrics(reports: web::Data<Reports>) -> HttpResponse {
    let Reports { sites, hub, degraded, traffic, started } = &**reports;
    let (all, only) = (sites.all(), sites.only());
    if let Some(site) = &only {
        hub.metrics().publication(&site.published);
    }
    let recorder = PrometheusBuilder::new().build_recorder();
    with_local_recorder(&recorder, || {
        source::record_checks(all.iter().map(|site| &site.health), only.is_some());
        degraded.record(hub.health().store_fault());
        process::record(*started);
        match only.map(|site| site.published.current()) {
            Some(current) => drop(current.map(|current| imports::record(&current))),
            None => site_reports::record(sites),
        }
    });
    let parts = [recorder.handle().render(), hub.metrics().render(), traffic.render()];
    HttpResponse::Ok()
        .insert_header((CACHE_CONTROL, NO_STORE))
        .content_type("text/plain; version=0.0.4; charset=utf-8")
        .body(parts.concat())
}

async fn not_found() -> HttpResponse {
    let message = "There are /healthz, /readyz, /sites and /metrics here.";
    response(StatusCode::NOT_FOUND, &ErrorBody::new("not_found", message))
}

fn describe(snapshot: &Snapshot) -> Value {
    let age = Timestamp::now().as_second() - snapshot.loaded_at.as_second();
    json!({
        "build_id": snapshot.manifest.build_id.as_str(),
        "published_at": snapshot.manifest.published_at.to_string(),
        "loaded_at": snapshot.loaded_at.to_string(),
        "age_seconds": age.max(0),
        "files": snapshot.manifest.files.len(),
        "imports": imports::describe(snapshot),
    })
}

fn describe_refusal(refusal: &PublicationRefusal) -> Value {
    json!({
        "reason": refusal.reason,
        "seconds": refusal.since.elapsed().as_secs(),
        "file": refusal.file,
        "expected": refusal.expected,
        "actual": refusal.actual,
    })
}

fn response(status: StatusCode, report: &impl Serialize) -> HttpResponse {
    HttpResponse::build(status).insert_header((CACHE_CONTROL, NO_STORE)).json(report)
}
