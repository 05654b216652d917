//! Takes pages from a portal and sends their results. All calls about a page name its lease.

use super::{PublishError, Publisher, describe_error};
use crate::base::{digest::sha256, retry::Attempt};
use reqwest::{
    Method, StatusCode,
    multipart::{Form, Part},
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::time::Duration;
use tender_model::{
    page_reading::{PageReading, PageTask, ReportedPage},
    vocabulary::Moment,
};
use uuid::Uuid;

/// The time limit for the download of a file.
const DOWNLOAD_TIMEOUT: Duration = Duration::from_mins(10);

/// The answer to a demand for a page.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TakenPage {
    /// The page; `None` if no page waits.
    pub page: Option<PageTask>,
    /// From when the portal refuses the token. `None` if it does not expire, or if an earlier version of
    /// the portal does not tell.
    pub token_expires_at: Option<Moment>,
}

#[derive(Deserialize)]
struct Ignored {}

impl Publisher {
    /// Takes the next page. `worker` is the name that operators see.
    pub(crate) async fn take_page(&self, worker: &str) -> Result<TakenPage, PublishError> {
        let body = json!({"worker": worker, "readsBoxes": true});
        self.retry(|| self.send(Method::POST, "leases", |request| Ok(request.json(&body)))).await
    }

    /// Extends a lease. The portal adds the further pages of the file when it learns their number.
    ///
    /// # Errors
    /// [`PublishError::is_conflict`] holds if the lease was lost.
    pub(crate) async fn extend_lease(
        &self,
        lease: Uuid,
        page_count: Option<u32>,
    ) -> Result<(), PublishError> {
        let (path, body) = (format!("leases/{lease}"), json!({"pageCount": page_count}));
        self.retry(|| self.send::<Ignored>(Method::PUT, &path, |request| Ok(request.json(&body)))).await?;
        Ok(())
    }

    /// Gives the page of a lease back.
    pub(crate) async fn give_back(&self, lease: Uuid) -> Result<(), PublishError> {
        let path = format!("leases/{lease}");
        self.retry(|| self.send::<Ignored>(Method::DELETE, &path, Ok)).await?;
        Ok(())
    }

    /// Reports that the page of a lease could not be read.
    pub(crate) async fn report_failure(&self, lease: Uuid, reason: &str) -> Result<(), PublishError> {
        let (path, body) = (format!("leases/{lease}/failure"), json!({"reason": reason}));
        self.retry(|| self.send::<Ignored>(Method::PUT, &path, |request| Ok(request.json(&body)))).await?;
        Ok(())
    }

    /// Sends the result of a lease's page with the JPEG picture of the page.
    pub(crate) async fn send_reading(
        &self,
        lease: Uuid,
        reading: &PageReading,
        picture: &[u8],
    ) -> Result<(), PublishError> {
        self.send_page(&format!("leases/{lease}/result"), "reading", reading, picture).await
    }

    /// Reports a page that was read from a file of its own, with the JPEG picture of the page. `key`
    /// is the hash of the page.
    pub(crate) async fn report_page(
        &self,
        key: &str,
        page: &ReportedPage,
        picture: &[u8],
    ) -> Result<(), PublishError> {
        self.send_page(&format!("pages/{key}"), "page", page, picture).await
    }

    /// Sends a JSON document in the part `name`, and a picture.
    async fn send_page(
        &self,
        path: &str,
        name: &'static str,
        document: &impl Serialize,
        picture: &[u8],
    ) -> Result<(), PublishError> {
        let text = serde_json::to_string(document).unwrap_or_default();
        self.retry(|| async {
            let form = || {
                let document = Part::text(text.clone()).mime_str("application/json")?;
                let picture = Part::bytes(picture.to_owned()).file_name("page.jpg").mime_str("image/jpeg")?;
                reqwest::Result::Ok(Form::new().part(name, document).part("picture", picture))
            };
            self.send::<Ignored>(Method::PUT, path, |request| Ok(request.multipart(form()?))).await
        })
        .await?;
        Ok(())
    }

    /// Downloads the file of a task.
    pub(crate) async fn download(&self, task: &PageTask) -> Result<Vec<u8>, PublishError> {
        self.retry(|| self.download_once(task)).await
    }

    async fn download_once(&self, task: &PageTask) -> Attempt<Vec<u8>, PublishError> {
        let path = format!("leases/{}/file", task.lease);
        let sent = self.request(Method::GET, &path, |request| Ok(request.timeout(DOWNLOAD_TIMEOUT))).await;
        let mut response = match sent {
            Ok(response) => response,
            Err(failed) => return failed.into(),
        };
        let status = response.status();
        let mut bytes = Vec::new();
        loop {
            match response.chunk().await {
                Ok(Some(chunk)) => bytes.extend_from_slice(&chunk),
                Ok(None) => break,
                Err(error) => return self.again(describe_error(&error, DOWNLOAD_TIMEOUT), None),
            }
            if bytes.len() as u64 > task.file_size.max(1 << 16) {
                return self.again("it sends a file of another size".to_owned(), None);
            }
        }
        if status != StatusCode::OK {
            return self.refusal(status, None, &bytes);
        }
        if hex::encode(sha256(&bytes)) != task.file_hash {
            return self.again("it sends a damaged file".to_owned(), None);
        }
        Attempt::Done(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::portal_client::Portal;
    use wiremock::{Mock, MockServer, ResponseTemplate, matchers::method};

    const LEASE: Uuid = Uuid::from_u128(9);

    fn client(server: &MockServer) -> Publisher {
        let mut portal = Portal::new(&server.uri()).unwrap();
        portal.first_wait = Duration::from_millis(1);
        Publisher::new(portal, "secret").unwrap()
    }

    fn task(bytes: &[u8]) -> PageTask {
        PageTask {
            lease: LEASE,
            until: "2026-11-20T12:00:00+05:30".parse().unwrap(),
            file_name: "p1.pdf".into(),
            file_hash: hex::encode(sha256(bytes)),
            file_size: bytes.len() as u64,
            number: 1,
            publication: String::new(),
            date: None,
            boxes: Vec::new(),
        }
    }

    #[tokio::test]
    async fn a_page_is_taken_if_one_waits() {
        let server = MockServer::start().await;
        let answer =
            |page| ResponseTemplate::new(200).set_body_json(json!({"success": true, "data": {"page": page}}));
        Mock::given(method("POST")).respond_with(answer(json!(null))).up_to_n_times(1).mount(&server).await;
        Mock::given(method("POST")).respond_with(answer(json!(task(b"a")))).mount(&server).await;
        assert_eq!(client(&server).take_page("desk").await.unwrap().page, None);
        assert_eq!(client(&server).take_page("desk").await.unwrap().page, Some(task(b"a")));
    }

    #[tokio::test]
    async fn a_lost_lease_is_a_conflict_and_not_retried() {
        let server = MockServer::start().await;
        let lost = ResponseTemplate::new(409).set_body_json(json!({"success": false, "message": "lost"}));
        Mock::given(method("PUT")).respond_with(lost).expect(1).mount(&server).await;
        assert!(client(&server).extend_lease(LEASE, Some(3)).await.unwrap_err().is_conflict());
    }

    #[tokio::test]
    async fn a_damaged_file_is_downloaded_again() {
        let server = MockServer::start().await;
        let file = |bytes: &[u8]| ResponseTemplate::new(200).set_body_bytes(bytes);
        Mock::given(method("GET")).respond_with(file(b"half")).up_to_n_times(1).mount(&server).await;
        Mock::given(method("GET")).respond_with(file(b"whole")).expect(1).mount(&server).await;
        assert_eq!(client(&server).download(&task(b"whole")).await.unwrap(), b"whole");
    }
}
