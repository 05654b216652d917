//! Rebuilds the crate when a migration changes: queries are checked against a database that has them all.

fn main() {
    println!("cargo:rerun-if-changed=migrations");
}
