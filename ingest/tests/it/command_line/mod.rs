//! Tests the commands of `ingest`, most of them with the real program.

mod awards;
mod confidence_threshold;
mod gazetteer;
mod hostile;
mod issue;
mod output_paths;
mod portal_review;
mod publishing;
mod retry;
mod review;
mod run;
mod show;
mod support;
mod text;
mod truth;
mod watch;
mod work;
