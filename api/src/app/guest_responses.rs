//! Keeps responses to guests for a moment. Guests without a session see the same listing, so a busy
//! listing is made once, and not once per guest.

use bytes::Bytes;
use http::Response;
use index::LogPosition;
use moka::{Expiry, future::Cache};
use std::{
    future::Future,
    time::{Duration, Instant},
};

/// The maximum size of all kept responses, in bytes.
const MAX_BYTES: u64 = 16 << 20;
/// The size of a kept response without its body and address, in bytes. It is an estimate.
const OVERHEAD: usize = 1024;

/// What a kept response belongs to. A change of the index makes it unused at once.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct GuestRequest {
    /// The position of the index in the change log.
    pub position: Option<LogPosition>,
    /// The path and the query string.
    pub address: String,
}

/// The responses of the last moment.
pub struct GuestResponses(Option<Cache<GuestRequest, Response<Bytes>>>);

impl GuestResponses {
    /// Keeps responses for this time. With zero, nothing is kept.
    #[must_use]
    pub fn new(lifetime: Duration) -> Self {
        let size = |request: &GuestRequest, response: &Response<Bytes>| {
            let size = request.address.len() + response.body().len() + OVERHEAD;
            u32::try_from(size).unwrap_or(u32::MAX)
        };
        let cache = || {
            Cache::builder()
                .max_capacity(MAX_BYTES)
                .weigher(size)
                .expire_after(ExpireFailuresAtOnce { lifetime })
                .build()
        };
        Self((!lifetime.is_zero()).then(cache))
    }

    /// Whether responses are kept.
    #[must_use]
    pub const fn are_kept(&self) -> bool {
        self.0.is_some()
    }

    /// Returns the response to a request. If none is kept, makes it. Requests for the same response at
    /// the same time wait until one of them has made it. If that one is cancelled, another makes it.
    pub async fn get_or_make(
        &self,
        request: GuestRequest,
        make: impl Future<Output = Response<Bytes>>,
    ) -> Response<Bytes> {
        match &self.0 {
            Some(cache) => cache.get_with(request, make).await,
            None => make.await,
        }
    }
}

/// Responses that failed are shared only among the requests that waited for them.
struct ExpireFailuresAtOnce {
    lifetime: Duration,
}

impl Expiry<GuestRequest, Response<Bytes>> for ExpireFailuresAtOnce {
    fn expire_after_create(
        &self,
        _request: &GuestRequest,
        response: &Response<Bytes>,
        _created_at: Instant,
    ) -> Option<Duration> {
        Some(if response.status().is_success() { self.lifetime } else { Duration::ZERO })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::StatusCode;
    use std::sync::atomic::{AtomicU32, Ordering};

    fn request(position: i64, address: &str) -> GuestRequest {
        GuestRequest { position: Some(position_at(position)), address: address.to_owned() }
    }

    fn position_at(position: i64) -> LogPosition {
        LogPosition { position, change_id: uuid::Uuid::nil() }
    }

    /// Makes responses and counts them.
    #[derive(Default)]
    struct Maker(AtomicU32);

    impl Maker {
        async fn make(&self, status: StatusCode) -> Response<Bytes> {
            // Lets other requests begin.
            tokio::task::yield_now().await;
            self.0.fetch_add(1, Ordering::Relaxed);
            let mut response = Response::new(Bytes::from_static(b"{}"));
            *response.status_mut() = status;
            response
        }

        fn count(&self) -> u32 {
            self.0.load(Ordering::Relaxed)
        }
    }

    #[tokio::test]
    async fn response_is_made_once_per_address_and_position() {
        let (kept, maker) = (GuestResponses::new(Duration::from_secs(3600)), Maker::default());
        for _ in 0..3 {
            let response = kept.get_or_make(request(1, "/tenders"), maker.make(StatusCode::OK)).await;
            assert_eq!(response.body(), "{}");
        }
        assert_eq!(maker.count(), 1);
        kept.get_or_make(request(1, "/tenders?page=2"), maker.make(StatusCode::OK)).await;
        kept.get_or_make(request(2, "/tenders"), maker.make(StatusCode::OK)).await;
        assert_eq!(maker.count(), 3);
    }

    #[tokio::test]
    async fn requests_at_the_same_time_share_the_work() {
        let (kept, maker) = (GuestResponses::new(Duration::from_secs(3600)), Maker::default());
        let requests = (0..8).map(|_| kept.get_or_make(request(1, "/tenders"), maker.make(StatusCode::OK)));
        futures::future::join_all(requests).await;
        assert_eq!(maker.count(), 1);
    }

    #[tokio::test]
    async fn cancelled_request_leaves_the_work_to_another() {
        let (kept, maker) = (GuestResponses::new(Duration::from_secs(3600)), Maker::default());
        let mut stuck = Box::pin(kept.get_or_make(request(1, "/tenders"), std::future::pending()));
        assert!(futures::poll!(&mut stuck).is_pending());
        let mut waiting = Box::pin(kept.get_or_make(request(1, "/tenders"), maker.make(StatusCode::OK)));
        assert!(futures::poll!(&mut waiting).is_pending());
        drop(stuck);
        assert_eq!(waiting.await.status(), StatusCode::OK);
        assert_eq!(maker.count(), 1);
    }

    #[tokio::test]
    async fn failure_is_not_kept() {
        let (kept, maker) = (GuestResponses::new(Duration::from_secs(3600)), Maker::default());
        for expected in 1..=2 {
            let failed = maker.make(StatusCode::SERVICE_UNAVAILABLE);
            kept.get_or_make(request(1, "/tenders"), failed).await;
            assert_eq!(maker.count(), expected);
        }
        kept.get_or_make(request(1, "/tenders"), maker.make(StatusCode::OK)).await;
        kept.get_or_make(request(1, "/tenders"), maker.make(StatusCode::OK)).await;
        assert_eq!(maker.count(), 3);
    }

    #[tokio::test]
    async fn nothing_is_kept_without_a_lifetime() {
        let (kept, maker) = (GuestResponses::new(Duration::ZERO), Maker::default());
        assert!(!kept.are_kept());
        for _ in 0..2 {
            kept.get_or_make(request(1, "/tenders"), maker.make(StatusCode::OK)).await;
        }
        assert_eq!(maker.count(), 2);
    }
}
