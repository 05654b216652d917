//! Personal data is deleted or emptied after the time that the settings say, and not before.

use crate::support::TestPortal;
use api::jobs::delete_old_data::delete_old_data;
use tokio_util::sync::CancellationToken;

/// Each kind of data, once just older than its time and once just younger. The clock of the portal is
/// at 20 November 2026.
const ROWS: &str = "
    create temporary view of_user as select id from users where email = 'nimali@example.lk';
    delete from session;
    insert into session (id, user_id, is_remembered, begun_at, used_at, expires_at, ends_at, ended_at)
        select md5(name)::uuid, of_user.id, true, '2026-09-01Z', '2026-09-01Z', expires::timestamptz, '2027-09-01Z', ended::timestamptz
        from of_user, (values ('expired', '2026-10-20Z', null), ('expired late', '2026-10-22Z', null),
            ('ended', '2026-12-22Z', '2026-10-20Z'), ('open', '2026-12-22Z', null)) as of (name, expires, ended);
    insert into refresh_token (id, session_id, token_hash, created_at, rotated_at)
        select md5(name)::uuid, md5(session)::uuid, convert_to(name, 'UTF8'), created::timestamptz, rotated::timestamptz
        from (values ('expired', 'expired', '2026-09-01Z', null), ('expired late', 'expired late', '2026-09-01Z', null),
            ('ended', 'ended', '2026-09-01Z', null), ('replaced', 'open', '2026-09-01Z', '2026-09-02Z'),
            ('replaced late', 'open', '2026-09-02Z', '2026-11-01Z'), ('current', 'open', '2026-11-01Z', null))
            as of (name, session, created, rotated);
    delete from mailed_link;
    insert into mailed_link (token_hash, purpose, user_id, email, created_at, expires_at, used_at)
        select convert_to(name, 'UTF8'), 'reset', of_user.id, 'x', '2026-10-01Z', expires::timestamptz, used::timestamptz
        from of_user, (values ('expired', '2026-10-20Z', null), ('valid', '2026-10-22Z', null), ('used', '2026-12-20Z', '2026-10-20Z'))
            as of (name, expires, used);
    delete from delivery;
    insert into delivery (id, user_id, channel, kind, frequency, address, state, opened_at, seal_at, message_id, content, sealed_at, sent_at, try_at)
        select md5(name)::uuid, of_user.id, channel, 'letter', 'immediate', 'x', state, at::timestamptz, at::timestamptz, name,
            E'Subject: Hello\\r\\n\\r\\nThe secret body', at::timestamptz, case when state = 'sent' then at::timestamptz end, '2099-01-01Z'
        from of_user, (values ('old', 'email', 'sent', '2026-08-20Z'), ('old call', 'webhook', 'sent', '2026-08-20Z'),
            ('old dead', 'email', 'dead', '2026-08-20Z'), ('young', 'email', 'sent', '2026-08-23Z'), ('waits', 'email', 'retry', '2026-08-20Z'))
            as of (name, channel, state, at);
    insert into tender (id, revision, status, created_at, updated_at) values (md5('t')::uuid, 1, 'draft', '2026-09-01Z', '2026-09-01Z');
    insert into tender_view (viewer, period_start, tender_id, at)
        select viewer, at::timestamptz, md5('t')::uuid, at::timestamptz
        from (select id, '2026-09-01Z' from of_user union all select md5('guest')::uuid, at from unnest(array['2026-09-01Z', '2026-08-01Z', '2026-11-01Z']) as at) as of (viewer, at);
    insert into document (id, tender_id, hash, name, media_type, size, created_at)
        values (md5('doc')::uuid, md5('t')::uuid, repeat('a', 64), 'x', 'x', 1, '2024-01-01Z');
    insert into document_download (user_id, period_start, document_id, at)
        select id, at::timestamptz, md5('doc')::uuid, at::timestamptz from of_user, unnest(array['2025-10-01Z', '2025-11-01Z']) as at;
    insert into contact_message (id, name, email, message, is_priority, at, answered_at)
        select md5(name)::uuid, name, 'x', 'x', false, '2025-01-01Z', answered::timestamptz
        from (values ('old', '2025-11-19Z'), ('young', '2025-11-22Z'), ('open', null)) as of (name, answered);
    insert into payment_event (provider, event_id, event, occurred_at, received_at, outcome)
        select 'stripe', name, '{}', at::timestamptz, at::timestamptz, outcome
        from (values ('old', '2020-11-01Z', 'applied'), ('young', '2020-12-01Z', 'applied'), ('open', '2020-11-01Z', 'mismatch')) as of (name, at, outcome);
    drop view of_user";

/// What is left, in words.
const LEFT: &str = "
    select string_agg(line, E'\\n' order by line) from (
        select 'session ' || convert_from(token_hash, 'UTF8') from refresh_token
        union all select 'link ' || convert_from(token_hash, 'UTF8') from mailed_link
        union all select 'message ' || state || ' ' || coalesce(message_id, '-') || ' ' || coalesce(replace(convert_from(content, 'UTF8'), E'\\r\\n', '|'), '-') from delivery
        union all select 'view ' || (select count(*) from tender_view where viewer = md5('guest')::uuid) || ' of ' || count(distinct viewer) from tender_view
        union all select 'downloads ' || count(*) from document_download
        union all select 'contact ' || name from contact_message
        union all select 'event ' || event_id from payment_event
    ) as of (line)";

#[tokio::test]
async fn old_personal_data_is_deleted_or_emptied() {
    let portal = TestPortal::start_with(&["--retain-payment-events-days", "2200"]).await;
    portal.user("nimali", "supplier").await;
    let mut connection = portal.state.db.acquire().await.unwrap();
    sqlx::raw_sql(ROWS).execute(&mut *connection).await.unwrap();
    drop(connection);
    let left = async || sqlx::query_scalar::<_, String>(LEFT).fetch_one(&portal.state.db).await.unwrap();
    let expected = [
        "contact open",
        "contact young",
        "downloads 1",
        "event open",
        "event young",
        "link valid",
        "message dead - -",
        "message retry waits Subject: Hello||The secret body",
        "message sent old Subject: Hello||",
        "message sent old call ",
        "message sent young Subject: Hello||The secret body",
        "session current",
        "session expired late",
        "session replaced late",
        "view 1 of 3",
    ];
    for _ in 0..2 {
        delete_old_data(&portal.state, &CancellationToken::new()).await.unwrap();
        assert_eq!(left().await.lines().collect::<Vec<_>>(), expected);
    }
}

#[tokio::test]
async fn zero_days_keep_everything() {
    let mut settings = Vec::new();
    for name in ["sessions", "links", "messages", "guest-views", "downloads", "contact", "payment-events"] {
        settings.push(format!("--retain-{name}-days=0"));
    }
    let settings: Vec<&str> = settings.iter().map(String::as_str).collect();
    let portal = TestPortal::start_with(&settings).await;
    portal.user("nimali", "supplier").await;
    let mut connection = portal.state.db.acquire().await.unwrap();
    sqlx::raw_sql(ROWS).execute(&mut *connection).await.unwrap();
    drop(connection);
    let left = async || sqlx::query_scalar::<_, String>(LEFT).fetch_one(&portal.state.db).await.unwrap();
    let before = left().await;
    delete_old_data(&portal.state, &CancellationToken::new()).await.unwrap();
    assert_eq!(left().await, before);
}
