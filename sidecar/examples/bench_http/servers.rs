//! The sidecar, and beside it the same server answering fixed bytes, or scanning and serializing.

use std::{
    convert::Infallible,
    net::TcpListener,
    path::{Path, PathBuf},
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use actix_web::{
    App, HttpRequest, HttpResponse, HttpServer,
    body::{BodySize, MessageBody},
    http::StatusCode,
    rt,
    web::{self, Bytes},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The longest fixed answer that is sent as one.
const AT_HAND: usize = 64 * 1024 * 1024;

/// Of a longer one, as the sidecar does.
const PIECE: usize = 256 * 1024;

/// The longest `reviews.json` that is scanned.
const LARGEST_SCAN: usize = 128 * 1024 * 1024;

/// Connections wait while the others are measured.
const KEEP_ALIVE: Duration = Duration::from_secs(75);

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
pub(crate) fn run(site: &Path) {
    rt::System::new().block_on(async {
        let mut config = sidecar::Config::new(site.join("public"), site.join("state"))
            .expect("the directories are apart");
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

/// With nothing around its answers, and no patterns among its routes: matching one would take a
/// tenth of the time a small answer needs.
async fn baseline(site: PathBuf, listener: TcpListener) {
    let fixed = web::Data::new(Bytes::from(vec![b'x'; AT_HAND]));
    let reviews = web::Data::new(naive_reviews(&site));
    let server = HttpServer::new(move || {
        App::new()
            .app_data(fixed.clone())
            .app_data(reviews.clone())
            .route("/naive", web::get().to(answer_naively))
            .default_service(web::to(answer_fixed))
    });
    let server = server.workers(1).keep_alive(KEEP_ALIVE).disable_signals();
    let server = server.listen(listener).expect("it is bound already");
    server.run().await.expect("the baseline runs until it is killed");
}

/// None of a site so large that they would fill the memory.
fn naive_reviews(site: &Path) -> Vec<Naive> {
    let document = std::fs::read(site.join("public/reviews.json")).expect("the site is published");
    if document.len() > LARGEST_SCAN {
        return Vec::new();
    }
    let document: Value = serde_json::from_slice(&document).expect("reviews.json is JSON");
    serde_json::from_value(document["reviews"].clone()).expect("reviews are reviews")
}

/// `/fixed/STATUS/LENGTH`
async fn answer_fixed(request: HttpRequest, fixed: web::Data<Bytes>) -> HttpResponse {
    let mut parts = request.path().rsplit('/');
    let length = parts.next().and_then(|length| length.parse().ok()).unwrap_or(0);
    let status = parts.next().and_then(|status| StatusCode::from_bytes(status.as_bytes()).ok());
    let mut answer = HttpResponse::build(status.unwrap_or(StatusCode::NOT_FOUND));
    answer.content_type("application/json");
    match status {
        Some(StatusCode::NOT_MODIFIED) => answer.finish(),
        _ if length <= fixed.len() => answer.body(fixed.slice(..length)),
        _ => {
            answer.body(Repeated { length: length as u64, left: length, bytes: (**fixed).clone() })
        }
    }
}

/// A body longer than what is held at hand.
struct Repeated {
    length: u64,
    left: usize,
    bytes: Bytes,
}

impl MessageBody for Repeated {
    type Error = Infallible;

    fn size(&self) -> BodySize {
        BodySize::Sized(self.length)
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Infallible>>> {
        let piece = self.left.min(PIECE);
        self.left -= piece;
        Poll::Ready((piece > 0).then(|| Ok(self.bytes.slice(..piece))))
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
