//! Files attached to tenders: upload, download, limits, and cleanup.

use crate::support::{Client, Reply, TestPortal, wait_for};
use api::{
    domain::document::{MAX_DOCUMENT_BYTES, MAX_DOCUMENT_BYTES_PER_ACCOUNT, MAX_DOCUMENTS_PER_TENDER},
    jobs::delete_orphaned_files::delete_unused_files,
};
use axum::http::{Method, header};
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};
use std::{io::Write, time::Duration};

/// Creates a PDF of one page with this text.
pub fn pdf(text: &str) -> Vec<u8> {
    let content = format!("BT /F1 11 Tf 72 770 Td ({text}) Tj ET");
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>"
            .to_owned(),
        format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_owned(),
    ];
    let (mut bytes, mut table) = ("%PDF-1.4\n".to_owned(), "0000000000 65535 f \n".to_owned());
    for (number, object) in objects.iter().enumerate() {
        table += &format!("{:010} 00000 n \n", bytes.len());
        bytes += &format!("{} 0 obj\n{object}\nendobj\n", number + 1);
    }
    let start = bytes.len();
    bytes += &format!("xref\n0 6\n{table}trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n");
    bytes.into_bytes()
}

async fn create_tender(client: &Client, status: &str) -> String {
    let form = json!({
        "title": "Chairs", "description": "Two hundred chairs.", "referenceNo": "S/1", "category": "Furniture",
        "status": status, "organization": {"name": "Abans"}, "location": {"province": "Western", "district": "Gampaha"},
        "dates": {"closing": "2026-12-01"},
    });
    let made = client.post("/tenders", &form).await.expect(201);
    format!("/tenders/{}", made["data"]["tender"]["_id"].as_str().unwrap())
}

async fn send(client: &Client, tender: &str, form: Form) -> Reply {
    let path = format!("{tender}/documents");
    client.send(client.request(Method::POST, &path).multipart(form), Method::POST, &path).await
}

async fn attach(client: &Client, tender: &str, name: &str, bytes: Vec<u8>) -> Reply {
    send(client, tender, Form::new().part("file", Part::bytes(bytes).file_name(name.to_owned()))).await
}

/// Attaches a file to the caller's tender and returns the document.
pub async fn attach_document(client: &Client, tender: &str, name: &str, bytes: Vec<u8>) -> Value {
    attach(client, tender, name, bytes).await.expect(201)["data"]["document"].clone()
}

/// Waits until the text of all documents is read.
pub async fn wait_until_read(portal: &TestPortal) {
    wait_for(
        &portal.state.db,
        "select not exists (select from document where awaits_text and removed_at is null)",
    )
    .await;
}

fn document_path(tender: &str, document: &Value) -> String {
    format!("{tender}/documents/{}", document["_id"].as_str().unwrap())
}

/// Returns the path below /api from which a document can be downloaded.
async fn download_path(client: &Client, resource_path: &str) -> String {
    let url = client.get(resource_path).await.expect(200)["data"]["url"].as_str().unwrap().to_owned();
    url.strip_prefix("/api").unwrap().to_owned()
}

fn count_files(portal: &TestPortal) -> usize {
    std::fs::read_dir(portal.state.config.data.data.join("documents")).unwrap().count()
}

#[tokio::test]
async fn attached_document_can_be_downloaded_by_subscribers() {
    let portal = TestPortal::start().await;
    let supplier = portal.user("nimal", "supplier").await;
    let tender = create_tender(&supplier, "published").await;
    // A document that is attached more than ten minutes after publication counts as a change.
    portal.advance(11 * 60);
    let bytes = pdf("Bidding document for two hundred chairs");
    let mut document = attach_document(&supplier, &tender, "../Bidding ලේඛනය.pdf", bytes.clone()).await;
    assert_eq!(document["name"], "Bidding ලේඛනය.pdf");
    assert_eq!((&document["type"], &document["size"]), (&json!("application/pdf"), &json!(bytes.len())));
    // The text is read after the response.
    assert_eq!(document["hasText"], false);
    wait_until_read(&portal).await;

    // Everybody sees the document in the tender and in the list of changes.
    let seen = portal.guest().get(&tender).await.expect(200);
    let attached = document.clone();
    document["hasText"] = json!(true);
    assert_eq!(seen["data"]["tender"]["documents"], json!([document]));
    assert_eq!(seen["data"]["tender"]["changes"].as_array().unwrap().len(), 1, "reading is no change");
    assert_eq!(seen["data"]["fetchesDocuments"], false);
    let change = &seen["data"]["tender"]["changes"][0];
    assert_eq!((&change["field"], &change["to"]), (&json!("documents"), &json!([attached])));

    let resource_path = document_path(&tender, &document);
    for client in [portal.guest(), portal.user("kamala", "buyer").await] {
        for path in [resource_path.clone(), format!("{resource_path}/text")] {
            let refused = client.get(&path).await.expect(403);
            assert_eq!((&refused["code"], &refused["plan"]), (&json!("plan"), &json!("professional")));
        }
    }
    let subscriber = portal.subscriber("ruwan", "supplier", Some("professional")).await;
    let text = subscriber.get(&format!("{resource_path}/text")).await.expect(200);
    assert_eq!(text["data"]["text"], "Bidding document for two hundred chairs");
    let url = download_path(&subscriber, &resource_path).await;
    let path = url.split('?').next().unwrap();
    let file = portal.guest().get(&url).await;
    assert_eq!(file.status, 200);
    assert_eq!(file.bytes, bytes);
    assert_eq!(
        file.header("content-disposition"),
        "attachment; filename=\"Bidding _____.pdf\"; filename*=UTF-8''Bidding%20%E0%B6%BD%E0%B7%9A%E0%B6%9B%E0%B6%B1%E0%B6%BA.pdf"
    );
    assert_eq!(
        file.header("content-security-policy"),
        "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox"
    );
    assert_eq!(file.header("x-content-type-options"), "nosniff");
    assert!(file.header("cache-control").contains("private"));

    // Browsers resume a download with a range request.
    let part = |range: &str| {
        let request = portal.guest().request(Method::GET, &url).header(header::RANGE, range);
        let guest = portal.guest();
        async move { guest.send(request, Method::GET, path).await }
    };
    let begun = part("bytes=5-7").await;
    assert_eq!((begun.status.as_u16(), begun.bytes.as_slice()), (206, &bytes[5..8]));
    assert_eq!(begun.header("content-range"), format!("bytes 5-7/{}", bytes.len()));
    part("bytes=999999-").await.expect_error(416);

    // The owner's download is not counted.
    download_path(&supplier, &resource_path).await;
    let statistics = &supplier.get(&tender).await.expect(200)["data"]["tender"]["statistics"];
    assert_eq!((&statistics["downloads"], &statistics["views"]), (&json!(1), &json!(2)));

    portal.advance(3601);
    portal.guest().get(&url).await.expect_error(404);
    portal.guest().get(&format!("{path}?until=9999999999&signature=AAAA")).await.expect_error(404);
}

#[tokio::test]
async fn identical_uploads_are_stored_once() {
    let portal = TestPortal::start().await;
    let supplier = portal.user("nimal", "supplier").await;
    let tender = create_tender(&supplier, "draft").await;
    let bytes = pdf("The same again");
    let first = attach_document(&supplier, &tender, "bid.pdf", bytes.clone()).await;
    let again = attach(&supplier, &tender, "bid (1).pdf", bytes.clone()).await.expect(200);
    assert_eq!(again["data"]["document"], first);
    // Six concurrent uploads have three different contents.
    let many = (0..6).map(|nth| attach(&supplier, &tender, "same.pdf", pdf(&format!("Page {}", nth % 3))));
    let replies = futures::future::join_all(many).await;
    assert_eq!(replies.iter().filter(|reply| reply.status == 201).count(), 3);
    let listed = supplier.get(&tender).await.expect(200)["data"]["tender"]["documents"].clone();
    assert_eq!(listed.as_array().unwrap().len(), 4);
    assert_eq!(count_files(&portal), 4);
}

#[tokio::test]
async fn only_the_owner_attaches_and_detaches() {
    let portal = TestPortal::start().await;
    let (nimal, kamala) = (portal.user("nimal", "supplier").await, portal.user("kamala", "supplier").await);
    let (shown, hidden) = (create_tender(&nimal, "published").await, create_tender(&nimal, "draft").await);
    let theirs = create_tender(&kamala, "draft").await;
    let document = attach_document(&nimal, &shown, "bid.zip", b"PK\x03\x04".to_vec()).await;
    attach(&kamala, &shown, "x.pdf", pdf("x")).await.expect_error(403);
    attach(&kamala, &hidden, "x.pdf", pdf("x")).await.expect_error(404);
    attach(&portal.guest(), &shown, "x.pdf", pdf("x")).await.expect_error(401);
    kamala.delete(&document_path(&shown, &document)).await.expect_error(403);
    // A request that names the caller's own tender does not delete a document of another tender.
    kamala.delete(&document_path(&theirs, &document)).await.expect(200);
    kamala.get(&document_path(&theirs, &document)).await.expect_error(404);
    assert_eq!(nimal.get(&shown).await.expect(200)["data"]["tender"]["documents"], json!([document]));

    nimal.delete(&document_path(&shown, &document)).await.expect(200);
    nimal.delete(&document_path(&shown, &document)).await.expect(200);
    nimal.get(&document_path(&shown, &document)).await.expect_error(404);
    let seen = nimal.get(&shown).await.expect(200)["data"]["tender"].clone();
    assert_eq!(seen.get("documents"), None);
    let changes = seen["changes"].as_array().unwrap();
    assert_eq!(
        (changes.len(), &changes[0]["from"], &changes[0]["to"]),
        (1, &json!([document]), &json!(null))
    );
    nimal.delete(&shown).await.expect(200);
    attach(&nimal, &shown, "x.pdf", pdf("x")).await.expect_error(409);
}

#[tokio::test]
async fn invalid_uploads_are_refused_and_leave_no_files() {
    let portal = TestPortal::start().await;
    let supplier = portal.user("nimal", "supplier").await;
    let tender = create_tender(&supplier, "draft").await;
    let part = |bytes: &[u8]| Part::bytes(bytes.to_vec()).file_name("bid.pdf");
    let kinds = "This file type is not supported. Attach PDF, Word, Excel, ZIP, JPEG, PNG or WebP";
    let encrypted = b"PK\x03\x04\x14\x00\x01\x00\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x05\0\0\0a.txt...";
    let macros = b"PK\x03\x04\x14\x00\x00\x00\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x0e\0\0\0vbaProject.bin...";
    let cases: [(Form, &str); 8] = [
        (
            Form::new().part("file", part(encrypted)),
            "Encrypted files are not accepted. Attach the file without a password",
        ),
        (
            Form::new().part("file", part(macros)),
            "Files with macros are not accepted. Save the file without macros",
        ),
        (Form::new().part("file", part(b"MZ\x90\0 a program")), kinds),
        (Form::new().part("file", part(b"<!doctype html><script>alert(1)</script>")), kinds),
        (Form::new().part("file", part(b"plain words")), kinds),
        (Form::new().part("file", part(b"")), "The file is empty"),
        (
            Form::new().part("files", part(b"%PDF-1.4")),
            "The form must have one part called file, and no others",
        ),
        (
            Form::new().part("file", part(b"%PDF-1.4")).part("file", part(b"%PDF-1.4")),
            "The form must have one part called file, and no others",
        ),
    ];
    for (form, message) in cases {
        assert_eq!(send(&supplier, &tender, form).await.expect_error(422), message);
    }
    let large = [pdf("x"), vec![0; MAX_DOCUMENT_BYTES as usize]].concat();
    assert_eq!(
        attach(&supplier, &tender, "x.pdf", large).await.expect_error(413),
        "A document may have at most 20 MB"
    );
    let path = format!("{tender}/documents");
    let request = supplier.request(Method::POST, &path).json(&json!({"file": "x"}));
    supplier.send(request, Method::POST, &path).await.expect_error(400);
    let request = supplier
        .request(Method::POST, &path)
        .header("content-type", "multipart/form-data; boundary=x")
        .body("--x--\r\n");
    let none = supplier.send(request, Method::POST, &path).await;
    assert_eq!(none.expect_error(422), "The form has no part called file");
    let request = supplier
        .request(Method::POST, &path)
        .header("content-type", "multipart/form-data; boundary=x")
        .body("--x\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a.pdf\"\r\n\r\n%PDF-1.4 breaks off");
    supplier.send(request, Method::POST, &path).await.expect_error(400);
    // A broken PDF is attached without text.
    let broken =
        attach_document(&supplier, &tender, "broken.pdf", b"%PDF-1.7 and nothing else".to_vec()).await;
    assert_eq!(broken["hasText"], false);
    wait_until_read(&portal).await;
    supplier.get(&format!("{}/text", document_path(&tender, &broken))).await.expect_error(404);
    for nth in 1..MAX_DOCUMENTS_PER_TENDER {
        attach_document(
            &supplier,
            &tender,
            "page.png",
            format!("\x7f{nth}").replace('\x7f', "PK\x03\x04").into_bytes(),
        )
        .await;
    }
    let full = attach(&supplier, &tender, "one more.pdf", pdf("one more")).await;
    assert_eq!(full.expect_error(409), "A tender can have at most 10 documents");
    assert_eq!(count_files(&portal), MAX_DOCUMENTS_PER_TENDER, "refused uploads leave no files");
}

#[tokio::test]
async fn account_storage_is_limited() {
    let portal = TestPortal::start().await;
    let supplier = portal.user("nimal", "supplier").await;
    let (full, tender) = (create_tender(&supplier, "draft").await, create_tender(&supplier, "draft").await);
    let document = attach_document(&supplier, &full, "bid.pdf", pdf("Bids")).await;
    sqlx::query("update document set size = $1")
        .bind(i64::try_from(MAX_DOCUMENT_BYTES_PER_ACCOUNT).unwrap())
        .execute(&portal.state.db)
        .await
        .unwrap();
    let refused = attach(&supplier, &tender, "more.pdf", pdf("More")).await.expect_error(422);
    assert_eq!(refused, "Your documents may have at most 1024 MB together");
    supplier.delete(&document_path(&full, &document)).await.expect(200);
    attach_document(&supplier, &tender, "more.pdf", pdf("More")).await;
}

#[tokio::test]
async fn unreferenced_old_files_are_deleted() {
    let portal = TestPortal::start().await;
    let supplier = portal.user("nimal", "supplier").await;
    let (kept, deleted) = (create_tender(&supplier, "draft").await, create_tender(&supplier, "draft").await);
    let both = pdf("Attached to both");
    let needed = attach_document(&supplier, &kept, "both.pdf", both.clone()).await;
    attach_document(&supplier, &deleted, "both.pdf", both.clone()).await;
    attach_document(&supplier, &deleted, "one.pdf", pdf("Attached to one")).await;
    // This file simulates the temporary file of a server that died during an upload.
    std::fs::write(portal.state.config.data.data.join("documents").join(".half"), "%PDF").unwrap();
    let half_clip = portal.state.config.data.data.join("clips").join(".half");
    std::fs::create_dir_all(portal.state.config.data.data.join("clips")).unwrap();
    std::fs::write(&half_clip, "JFIF").unwrap();
    supplier.delete(&deleted).await.expect(200);
    assert_eq!(
        (delete_unused_files(&portal.state, Duration::from_secs(3600)).await.unwrap(), count_files(&portal)),
        (0, 3)
    );
    assert_eq!(
        (delete_unused_files(&portal.state, Duration::ZERO).await.unwrap(), count_files(&portal)),
        (3, 1)
    );
    assert!(!half_clip.exists());
    let url = download_path(&supplier, &document_path(&kept, &needed)).await;
    assert_eq!(portal.guest().get(&url).await.bytes, both);
}

#[tokio::test]
async fn documents_attached_right_after_publication_are_no_change() {
    let portal = TestPortal::start().await;
    let supplier = portal.user("nimal", "supplier").await;
    let path = create_tender(&supplier, "published").await;
    let changed = async || {
        let details = supplier.get(&path).await.expect(200);
        let changes = details["data"]["tender"]["changes"].as_array().cloned().unwrap_or_default();
        changes.iter().map(|change| change["field"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let first = attach_document(&supplier, &path, "plan.pdf", pdf("Plan")).await;
    attach_document(&supplier, &path, "terms.pdf", pdf("Terms")).await;
    assert_eq!(changed().await, Vec::<String>::new());
    // Detaching is always a change.
    supplier.delete(&document_path(&path, &first)).await.expect(200);
    assert_eq!(changed().await, ["documents"]);
    portal.advance(11 * 60);
    attach_document(&supplier, &path, "late.pdf", pdf("Late")).await;
    assert_eq!(changed().await, ["documents", "documents"]);
}

/// A PDF whose page makes the reader work for a long time: a small compressed stream with millions of
/// operators.
fn slow_pdf() -> Vec<u8> {
    let mut stream = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    for _ in 0..2_000_000 {
        stream.write_all(b"BT (x) Tj ET\n").unwrap();
    }
    let stream = stream.finish().unwrap();
    let head = format!(
        "%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n\
        3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R >>\nendobj\n\
        4 0 obj\n<< /Filter /FlateDecode /Length {} >>\nstream\n",
        stream.len()
    );
    let mut bytes = head.into_bytes();
    bytes.extend(stream);
    let start = bytes.len() + "\nendstream\nendobj\n".len();
    let offset = |mark: &str| bytes.windows(mark.len()).position(|part| part == mark.as_bytes()).unwrap();
    let table: String =
        (1..=4).map(|number| format!("{:010} 00000 n \n", offset(&format!("{number} 0 obj")))).collect();
    let tail = format!(
        "\nendstream\nendobj\nxref\n0 5\n0000000000 65535 f \n{table}trailer\n<< /Size 5 /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n"
    );
    bytes.extend(tail.into_bytes());
    bytes
}

#[tokio::test]
async fn slow_document_does_not_delay_the_response() {
    let portal = TestPortal::start().await;
    let supplier = portal.user("nimal", "supplier").await;
    let tender = create_tender(&supplier, "draft").await;
    let slow = slow_pdf();
    assert!(slow.len() < 200_000, "{}", slow.len());
    let slow = attach_document(&supplier, &tender, "slow.pdf", slow).await;
    assert_eq!(slow["hasText"], false);
    // The document is given up, and later ones are read.
    attach_document(&supplier, &tender, "bid.pdf", pdf("Bidding document for two hundred chairs")).await;
    wait_until_read(&portal).await;
    let listed = supplier.get(&tender).await.expect(200)["data"]["tender"]["documents"].clone();
    assert_eq!((&listed[0]["hasText"], &listed[1]["hasText"]), (&json!(false), &json!(true)));
}

#[tokio::test]
async fn document_is_read_again_if_its_reader_died() {
    let portal = TestPortal::start().await;
    let supplier = portal.user("nimal", "supplier").await;
    let tender = create_tender(&supplier, "draft").await;
    let bytes = pdf("Bidding document for two hundred chairs");
    let document = attach_document(&supplier, &tender, "bid.pdf", bytes).await;
    wait_until_read(&portal).await;
    // A server that dies while it reads leaves its claim.
    sqlx::query(
        "update document set awaits_text = true, text = null, text_attempts = 1, text_claimed_at = created_at",
    )
    .execute(&portal.state.db)
    .await
    .unwrap();
    supplier.get(&format!("{}/text", document_path(&tender, &document))).await.expect_error(404);
    portal.advance(3 * 60);
    wait_until_read(&portal).await;
    let text = supplier.get(&format!("{}/text", document_path(&tender, &document))).await.expect(200);
    assert_eq!(text["data"]["text"], "Bidding document for two hundred chairs");
}

#[tokio::test]
async fn uploads_and_drafts_of_a_day_are_limited() {
    let portal = TestPortal::start().await;
    let supplier = portal.user("nimal", "supplier").await;
    let tender = create_tender(&supplier, "draft").await;
    let document = attach_document(&supplier, &tender, "bid.zip", b"PK\x03\x04".to_vec()).await;
    sqlx::query("update stored_today set documents = 100, drafts = 50")
        .execute(&portal.state.db)
        .await
        .unwrap();
    let refused = attach(&supplier, &tender, "more.pdf", pdf("More")).await.expect_error(409);
    assert_eq!(refused, "You can upload at most 100 documents a day. Please upload the others tomorrow");
    let draft = json!({"title": "Chairs", "status": "draft"});
    let refused = supplier.post("/tenders", &draft).await.expect_error(409);
    assert_eq!(refused, "You can create at most 50 drafts a day. Please go on tomorrow");
    // Deleting the draft does not permit further uploads.
    supplier.delete(&document_path(&tender, &document)).await.expect(200);
    attach(&supplier, &tender, "more.pdf", pdf("More")).await.expect_error(409);
    portal.advance(24 * 3600);
    let supplier = portal.sign_in("nimal").await;
    attach_document(&supplier, &tender, "more.pdf", pdf("More")).await;
    supplier.post("/tenders", &draft).await.expect(201);

    sqlx::query("insert into tender (id, owner_id, revision, status, created_at, updated_at)
        select gen_random_uuid(), owner_id, 1, 'draft', created_at, updated_at from tender, generate_series(1, 200) limit 200")
        .execute(&portal.state.db).await.unwrap();
    let refused = supplier.post("/tenders", &draft).await.expect_error(409);
    assert_eq!(refused, "You can have at most 200 drafts. Please publish or delete some first");
}

#[tokio::test]
async fn nearly_full_disk_refuses_uploads() {
    let portal = TestPortal::start_with(&["--min-free-mib", "1073741824"]).await;
    let supplier = portal.user("nimal", "supplier").await;
    let tender = create_tender(&supplier, "draft").await;
    let refused = attach(&supplier, &tender, "bid.pdf", pdf("Bids")).await.expect_error(503);
    assert_eq!(refused, "The portal cannot store files at present. Please try again later.");
    assert_eq!(count_files(&portal), 0);
    let health = portal.guest().get("/health").await.expect(200);
    assert_eq!(health["data"]["services"]["storage"], false);
    let roomy = TestPortal::start_with(&["--min-free-mib", "0"]).await;
    let health = roomy.guest().get("/health").await.expect(200);
    assert_eq!(health["data"]["services"]["storage"], true);
}
