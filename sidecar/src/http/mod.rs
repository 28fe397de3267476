//! The routes of the main listener.

mod access;
mod answering;
mod body;
mod client;
mod conditional;
mod cors;
pub(crate) mod encode;
pub(crate) mod envelope;
mod fair_share;
mod files;
pub(crate) mod gate;
mod hub;
pub(crate) mod layer;
pub(crate) mod mcp;
mod media_type;
mod negotiate;
pub(crate) mod pieces;
mod preconditions;
pub(crate) mod problem;
mod range;
mod refusal;
mod search;
mod send;
mod since;

use contract::routes;
use std::sync::Arc;

use actix_web::{
    HttpRequest, HttpResponse, Resource, guard,
    http::header,
    web::{self, ServiceConfig},
};

use self::mcp::Mcp;
use self::{encode::Encoder, gate::Gate, problem::RequestProblem};
use crate::sites::{Sites, site::Site};

/// The data that all handlers share.
pub(crate) struct AppState {
    pub(crate) sites: Arc<Sites>,
    pub(crate) serve_public: bool,
    pub(crate) gate: Gate,
    pub(crate) encoder: Encoder,
    pub(crate) mcp: Mcp,
}

impl AppState {
    /// Returns the site that a request is for.
    fn site(&self, request: &HttpRequest) -> Result<Arc<Site>, RequestProblem> {
        let site = match request.uri().authority() {
            // It takes the place of the field (RFC 9112 section 3.2.2).
            Some(authority) => self.sites.of_host(authority.as_str()),
            None => {
                let field = request.headers().get(header::HOST);
                let host = field.and_then(|field| field.to_str().ok()).unwrap_or_default();
                self.sites.of_host(host)
            }
        };
        site.ok_or(RequestProblem::UnknownHost)
    }
}

/// The table of routes. A path without a route is looked up among the published files.
pub(crate) fn configure(routes: &mut ServiceConfig) {
    routes
        .service(read_only(routes::SEARCH).route(reads().to(search::response)))
        // No pattern behind it: matching one takes longer than finding out that nothing changed.
        .service(
            web::scope(routes::SINCE_PREFIX.trim_end_matches('/'))
                .default_service(web::to(since::response)),
        )
        .service(agents())
        .route(routes::HUB, web::to(hub::response))
        .default_service(web::to(files::response));
}

fn agents() -> Resource {
    // Clients add the slash, and a redirect would lose what they post.
    web::resource([routes::MCP, routes::MCP_WITH_SLASH])
        .route(web::post().to(mcp::response))
        .default_service(web::to(mcp::wrong_method))
}

fn read_only(path: &str) -> Resource {
    web::resource(path).default_service(web::to(wrong_method))
}

fn reads() -> actix_web::Route {
    web::route().guard(guard::Any(guard::Get()).or(guard::Head()))
}

async fn wrong_method(request: HttpRequest) -> HttpResponse {
    RequestProblem::MethodNotAllowed.response(request.uri().path())
}
