//! The HTTP server: router, extractors, middleware, and one file for each route.

pub(crate) mod atom_feed;
pub(crate) mod cookie;
pub(crate) mod envelope;
pub(crate) mod error;
pub mod extract;
pub(crate) mod middleware;
pub(crate) mod openapi_bounds;
pub mod router;
pub(crate) mod routes;
pub(crate) mod server;
pub(crate) mod web;
