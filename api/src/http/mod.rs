//! The HTTP server: router, extractors, middleware, and one file for each route.

pub mod atom_feed;
pub mod cookie;
pub mod envelope;
pub mod error;
pub mod extract;
pub mod middleware;
pub mod openapi_bounds;
pub mod router;
pub mod routes;
pub mod server;
pub mod web;
