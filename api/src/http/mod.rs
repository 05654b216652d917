//! The HTTP layer: server, router, extractors, middleware and routes.

pub(crate) mod atom_feed;
pub(crate) mod bidding;
pub(crate) mod cookie;
pub(crate) mod document_upload;
pub(crate) mod envelope;
pub(crate) mod error;
pub mod extract;
pub(crate) mod file_response;
pub(crate) mod metrics;
pub(crate) mod middleware;
pub(crate) mod openapi_bounds;
mod page_policy;
pub(crate) mod route_classes;
pub mod router;
pub(crate) mod routes;
pub(crate) mod server;
pub(crate) mod web;
