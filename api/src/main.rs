//! The portal's command: `serve`, `migrate`, `reindex`, `admin`, `openapi`.

fn main() {}
