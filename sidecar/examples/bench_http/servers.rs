//! The sidecar, and beside it the same server answering fixed bytes, or scanning and serializing.

use std::{
    net::TcpListener,
    path::{Path, PathBuf},
};

use actix_web::{
    App, HttpResponse, HttpServer,
    http::StatusCode,
    rt,
    web::{self, Bytes},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The longest fixed answer that is held at hand.
const AT_HAND: usize = 64 * 1024 * 1024;

/// A review as somebody would write it who has not thought about speed.
#[derive(Clone, Deserialize, Serialize)]
struct Naive {
    text: Option<String>,
    #[serde(flatten)]
    rest: serde_json::Map<String, Value>,
}

#[derive(Deserialize)]
struct Query {
    query: String,
}

/// Serves until the process ends; first says where.
pub(crate) fn run(site: &str) {
    let site = Path::new(site);
    rt::System::new().block_on(async {
        let mut config = sidecar::Config::new(site.join("public"), site.join("state"))
            .expect("the directories lie apart");
        config.serve_public = true;
        config.workers = 1;
        let (ours, theirs) = (listener(), listener());
        let sidecar =
            sidecar::serve(config, ours, None).await.expect("a published site can be served");
        println!("{}", sidecar.address());
        println!("{}", theirs.local_addr().expect("a bound socket has an address"));
        rt::spawn(baseline(site.to_path_buf(), theirs));
        sidecar.run().await.expect("the sidecar runs until it is killed");
    });
}

fn listener() -> TcpListener {
    TcpListener::bind("127.0.0.1:0").expect("a port is free")
}

async fn baseline(site: PathBuf, listener: TcpListener) {
    let fixed = web::Data::new(Bytes::from(vec![b'x'; AT_HAND]));
    let document = std::fs::read(site.join("public/reviews.json")).expect("the site is published");
    let document: Value = serde_json::from_slice(&document).expect("reviews.json is JSON");
    let reviews: Vec<Naive> =
        serde_json::from_value(document["reviews"].clone()).expect("reviews are reviews");
    let reviews = web::Data::new(reviews);
    let server = HttpServer::new(move || {
        App::new()
            .app_data(fixed.clone())
            .app_data(reviews.clone())
            .route("/fixed/{status}/{length}", web::get().to(answer_fixed))
            .route("/naive", web::get().to(answer_naively))
    });
    let server = server.workers(1).disable_signals().listen(listener).expect("it is bound already");
    server.run().await.expect("the baseline runs until it is killed");
}

async fn answer_fixed(path: web::Path<(u16, usize)>, fixed: web::Data<Bytes>) -> HttpResponse {
    let (status, length) = path.into_inner();
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::OK);
    let mut answer = HttpResponse::build(status);
    answer.content_type("application/json");
    match status {
        StatusCode::NOT_MODIFIED => answer.finish(),
        _ => answer.body(fixed.slice(..length.min(fixed.len()))),
    }
}

async fn answer_naively(query: web::Query<Query>, reviews: web::Data<Vec<Naive>>) -> HttpResponse {
    let needle = query.query.to_lowercase();
    let has = |review: &&Naive| {
        review.text.as_ref().is_some_and(|text| text.to_lowercase().contains(&needle))
    };
    let found: Vec<_> = reviews.iter().filter(has).collect();
    let page = &found[..found.len().min(20)];
    HttpResponse::Ok().json(serde_json::json!({
        "matched": found.len(), "returned": page.len(), "next_cursor": null, "reviews": page,
    }))
}
