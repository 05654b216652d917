//! Sets up the log and the traces of the process.

use crate::{
    base::{config::MonitoringConfig, trace},
    clients::trace_collector::TraceExport,
};
use std::io::IsTerminal;
use tokio::runtime::Handle;
use tracing::Subscriber;
use tracing_subscriber::{
    EnvFilter, Layer,
    filter::{FilterExt, filter_fn},
    layer::SubscriberExt,
    registry::LookupSpan,
    util::SubscriberInitExt,
};

/// Sets up the log on standard error, as text or as JSON. With `monitoring`, which only a server has,
/// also sets up traces. The caller shuts the returned export down.
///
/// # Errors
/// Fails if the export cannot be created.
pub fn init(
    filter: EnvFilter,
    json: bool,
    monitoring: Option<&MonitoringConfig>,
    version: &'static str,
    runtime: &Handle,
) -> anyhow::Result<Option<TraceExport>> {
    let export = match monitoring {
        Some(config) => TraceExport::start(config, version, runtime)?,
        None => None,
    };
    let traces = export.as_ref().map(|export| {
        tracing_opentelemetry::layer()
            .with_tracer(export.tracer())
            .with_location(false)
            .with_threads(false)
            .with_tracked_inactivity(false)
            .with_filter(filter_fn(|metadata| metadata.is_span() && metadata.target() == trace::TARGET))
    });
    tracing_subscriber::registry().with(traces).with(log_layer(filter, json)).init();
    Ok(export)
}

/// The log. It does not contain the spans of traces.
fn log_layer<S>(filter: EnvFilter, json: bool) -> impl Layer<S>
where
    S: Subscriber + for<'span> LookupSpan<'span>,
{
    let log = tracing_subscriber::fmt::layer()
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(std::io::stderr);
    let log = if json { log.json().boxed() } else { log.boxed() };
    log.with_filter(filter.and(filter_fn(|metadata| metadata.target() != trace::TARGET)))
}
