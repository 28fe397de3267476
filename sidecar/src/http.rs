//! The main listener: which handler answers what.

pub(crate) mod access;
mod body;
pub(crate) mod cors;
mod files;
mod hub;
mod negotiate;
mod preconditions;
mod problem;
mod range;

use std::sync::Arc;

use actix_web::web::{self, ServiceConfig};

use crate::{hub::HUB_PATH, published::Published};

/// What every handler answers from.
#[derive(Debug)]
pub(crate) struct Service {
    pub(crate) published: Arc<Published>,
    pub(crate) serve_public: bool,
}

/// The table of routes. What no route names is looked up among the published files.
pub(crate) fn configure(routes: &mut ServiceConfig) {
    routes.route(HUB_PATH, web::to(hub::answer)).default_service(web::to(files::answer));
}
