//! Health checks and metrics, on a listener of their own.

use std::sync::Arc;

use actix_web::{
    HttpResponse, guard,
    http::{StatusCode, header::CACHE_CONTROL},
    web::{self, ServiceConfig},
};
use contract::{api::ErrorBody, fields::NO_STORE};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Value, json};

use crate::{
    degraded::Degraded,
    hub::HubHandle,
    imports, process,
    published::{PublicationRefusal, Published},
    snapshot::Snapshot,
    source::SourceHealth,
    traffic::Traffic,
};

/// What the routes report.
pub(crate) struct Reports {
    pub(crate) published: Arc<Published>,
    pub(crate) source: Arc<SourceHealth>,
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
        .route("/metrics", web::route().guard(reads()).to(metrics))
        .default_service(web::to(not_found));
}

/// The process runs.
async fn healthz() -> HttpResponse {
    response(StatusCode::OK, &json!({ "status": "ok" }))
}

/// Whether a publication is loaded and newer ones can be loaded. An unreachable source does not
/// make the sidecar unready: otherwise an outage of the site's host would stop all its sidecars.
/// Nor does a publication with a wrong time, which would do the same.
/// Neither does what reads do not need.
async fn readyz(reports: web::Data<Reports>) -> HttpResponse {
    let Reports { published, source, hub, degraded, .. } = &**reports;
    let mut report = published.current().as_deref().map_or_else(|| json!({}), describe);
    report["hub"] = hub.health().describe();
    report["source"] = source.describe();
    if let Some(degraded) = degraded.describe(hub.health().store_fault()) {
        report["degraded"] = degraded;
    }
    let refusal = published.refusal();
    let reason = match (report.get("build_id"), published.overdue_refusal()) {
        (None, _) => Some(refusal.as_ref().map_or_else(
            || "no data is loaded".to_owned(),
            |refusal| format!("no data is loaded: {}", refusal.reason),
        )),
        (_, Some(overdue)) if !overdue.is_outage && !overdue.is_about_time => {
            Some(overdue.reason.clone())
        }
        _ => None,
    };
    if let Some(refusal) = refusal.filter(|refusal| !refusal.is_outage).as_deref() {
        report["refused"] = describe_refusal(refusal);
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

/// The metrics in the text format of Prometheus.
async fn metrics(reports: web::Data<Reports>) -> HttpResponse {
    let Reports { published, source, hub, degraded, traffic, started } = &**reports;
    hub.metrics().publication(published);
    let degraded = degraded.render(hub.health().store_fault());
    let imports = published.current().map_or_else(String::new, |current| imports::render(&current));
    let parts = [
        source.render(),
        hub.metrics().render(),
        degraded,
        traffic.render(),
        process::render(*started),
        imports,
    ];
    HttpResponse::Ok()
        .insert_header((CACHE_CONTROL, NO_STORE))
        .content_type("text/plain; version=0.0.4; charset=utf-8")
        .body(parts.concat())
}

async fn not_found() -> HttpResponse {
    let message = "There are /healthz, /readyz and /metrics here.";
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
