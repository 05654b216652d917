//! Sends traces to an OpenTelemetry collector. Finished spans wait in a queue of fixed size, which a
//! thread of its own empties. While the collector is away, further spans are dropped: they neither
//! delay requests nor fill the memory.

use crate::base::{config::MonitoringConfig, log_throttle::LogThrottle};
use anyhow::Context;
use bytes::Bytes;
use http::{Request, Response};
use opentelemetry::{KeyValue, trace::TracerProvider};
use opentelemetry_http::{HttpClient, HttpError};
use opentelemetry_otlp::{SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::{
    Resource,
    trace::{BatchConfigBuilder, BatchSpanProcessor, Sampler, SdkTracer, SdkTracerProvider},
};
use std::{pin::Pin, time::Duration};
use tokio::runtime::Handle;
use url::Url;

/// The time limit of a request to the collector.
const EXPORT_TIMEOUT: Duration = Duration::from_secs(10);
/// The number of finished spans that wait at most.
const QUEUE_SIZE: usize = 2048;
/// The number of spans of one request.
const BATCH_SIZE: usize = 512;
/// How long a finished span waits at most before it is sent.
const EXPORT_INTERVAL: Duration = Duration::from_secs(5);
/// How long the shutdown waits for the last spans to be sent.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(5);

/// Limits the log lines about a collector that is away.
static FAILURE_LOG: LogThrottle = LogThrottle::new(Duration::from_secs(600));

/// Exports traces until it is shut down.
pub struct TraceExport(SdkTracerProvider);

impl TraceExport {
    /// Starts the export. `None`: traces are off. Requests to the collector run on `runtime`.
    ///
    /// # Errors
    /// Fails if the HTTP client cannot be created.
    pub fn start(
        config: &MonitoringConfig,
        version: &'static str,
        runtime: &Handle,
    ) -> anyhow::Result<Option<Self>> {
        let Some(endpoint) = &config.otlp_endpoint else { return Ok(None) };
        let http = reqwest::Client::builder()
            .timeout(EXPORT_TIMEOUT)
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .context("creating the client of the trace collector")?;
        let exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(CollectorClient { http, runtime: runtime.clone() })
            .with_endpoint(traces_url(endpoint))
            .with_timeout(EXPORT_TIMEOUT)
            .build()
            .context("creating the exporter of traces")?;
        let batches = BatchConfigBuilder::default()
            .with_max_queue_size(QUEUE_SIZE)
            .with_max_export_batch_size(BATCH_SIZE)
            .with_scheduled_delay(EXPORT_INTERVAL)
            .build();
        let resource = Resource::builder_empty()
            .with_service_name(config.otlp_service_name.clone())
            .with_attribute(KeyValue::new("service.version", version))
            .build();
        let provider = SdkTracerProvider::builder()
            .with_span_processor(BatchSpanProcessor::new(exporter, batches))
            .with_sampler(Sampler::ParentBased(Box::new(Sampler::TraceIdRatioBased(config.trace_sample))))
            .with_resource(resource)
            .build();
        Ok(Some(Self(provider)))
    }

    /// The tracer that exports spans.
    #[must_use]
    pub fn tracer(&self) -> SdkTracer {
        self.0.tracer("api")
    }

    /// Sends the last spans, for some seconds at most. The runtime must still run.
    pub fn shut_down(self) {
        if let Err(error) = self.0.shutdown_with_timeout(SHUTDOWN_TIMEOUT) {
            tracing::warn!(%error, "the last traces were not sent");
        }
    }
}

/// The URL to which traces are sent.
fn traces_url(endpoint: &Url) -> String {
    format!("{}/v1/traces", endpoint.as_str().trim_end_matches('/'))
}

/// Sends requests on the runtime of the server, because the thread of the exporter has none.
#[derive(Debug)]
struct CollectorClient {
    http: reqwest::Client,
    runtime: Handle,
}

impl HttpClient for CollectorClient {
    fn send_bytes<'client, 'sending>(
        &'client self,
        request: Request<Bytes>,
    ) -> Pin<Box<dyn Future<Output = Result<Response<Bytes>, HttpError>> + Send + 'sending>>
    where
        'client: 'sending,
        Self: 'sending,
    {
        let http = self.http.clone();
        let sending = self.runtime.spawn(async move { send(&http, request).await });
        Box::pin(async move {
            let answer = sending.await.map_err(HttpError::from).and_then(|answer| answer);
            let failure = match &answer {
                Ok(response) if response.status().is_success() => None,
                Ok(response) => Some(format!("the collector answered {}", response.status())),
                Err(error) => Some(error.to_string()),
            };
            if let Some(error) = failure
                && FAILURE_LOG.is_due()
            {
                tracing::warn!(
                    error,
                    "traces cannot be sent; traces are dropped until the collector accepts them"
                );
            }
            answer
        })
    }
}

/// Sends a request. The body of the answer is not read.
async fn send(http: &reqwest::Client, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
    let response = http.execute(reqwest::Request::try_from(request)?).await?;
    Ok(Response::builder().status(response.status()).body(Bytes::new())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_of_the_endpoint_is_kept() {
        for (endpoint, expected) in [
            ("http://127.0.0.1:4318", "http://127.0.0.1:4318/v1/traces"),
            ("https://otlp.example/tenant/", "https://otlp.example/tenant/v1/traces"),
        ] {
            assert_eq!(traces_url(&endpoint.parse().unwrap()), expected);
        }
    }
}
