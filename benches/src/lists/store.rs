//! Fills the portal's database with the rows that the lists show, in about the proportions of a
//! portal that has run for a year. The rows are made by Postgres itself.

use anyhow::{Context, Result};
use postgres::{Client, NoTls};

/// Ids in the order of time, as UUIDv7 are. Rows of different tables have different kinds.
const FUNCTIONS: &str = "
    create function pg_temp.moment(nth bigint, of bigint) returns timestamptz language sql immutable as
        'select timestamptz ''2025-11-26+05:30'' + (nth::float8 / of) * interval ''364 days''';
    create function pg_temp.id(kind int, nth bigint, of bigint) returns uuid language sql immutable as
        'select (lpad(to_hex((extract(epoch from pg_temp.moment(nth, of)) * 1000)::bigint), 12, ''0'') || ''7''
            || lpad(to_hex(kind), 3, ''0'') || ''8'' || lpad(to_hex(nth), 15, ''0''))::uuid'";

/// `$users`: the number of users, `$notices`: the number of notices. The tenders of the workload
/// are in the table `record`.
const STATEMENTS: &[&str] = &[
    // Users: each second one has two sessions, one in a hundred is locked, one in a thousand reviews.
    "insert into users (id, email, first_name, last_name, company, role, language, created_at, updated_at, locked_at, lock_reason,
        publisher_approved_at)
    select pg_temp.id(1, n, $users), 'user' || n || '@readers.example', (array['Nimali', 'Sunil', 'Kamala', 'Ravi'])[1 + n % 4],
        (array['Perera', 'Silva', 'Fernando', 'Bandara', 'Jayasuriya'])[1 + n % 5], 'Company ' || n % 3000,
        case when n % 1000 = 7 then 'reviewer' when n % 5 = 0 then 'buyer' else 'supplier' end, 'en', at, at,
        case when n % 100 = 3 then at end, case when n % 100 = 3 then 'Fraud' end, at
    from (select n, pg_temp.moment(n, $users) as at from generate_series(1, $users) n) u",
    "insert into address (user_id, email, verified_at, created_at)
    select id, email, case when email not like '%9@%' then created_at end, created_at from users",
    "insert into session (id, user_id, is_remembered, begun_at, used_at, expires_at, ends_at)
    select gen_random_uuid(), pg_temp.id(1, n, $users), true, at, at, at + interval '30 days', at + interval '180 days'
    from generate_series(1, $users, 2) n, generate_series(1, 2) s,
        lateral (select pg_temp.moment(n, $users) + s * interval '1 day' as at) m",
    // Subscriptions: three of ten users have one now, and as many had one before.
    "insert into subscription (id, user_id, plan, status, billing_cycle, start_date, end_date, period_start, anchor, holds_until,
        price_cents, provider, charged_at, ended_at, created_at, updated_at)
    select pg_temp.id(2, n, $users * 6 / 10), pg_temp.id(1, 1 + (n * 7) % $users, $users),
        (array['basic', 'professional', 'enterprise'])[1 + n % 3],
        case when n % 2 = 0 then 'active' when n % 4 = 1 then 'expired' else 'cancelled' end, 'monthly', at, ends, at, at, ends,
        500000, 'payhere', at, case when n % 2 = 1 then ends end, at, at
    from generate_series(1, $users * 6 / 10) n, lateral (select pg_temp.moment(n, $users * 6 / 10) as at) m,
        lateral (select case when n % 2 = 0 then at + interval '600 days' else at + interval '30 days' end as ends) e
    on conflict do nothing",
    "insert into checkout (id, user_id, subscription_id, provider, session, amount_cents, price_cents, currency, status, created_at,
        expires_at)
    select id, user_id, id, 'payhere', id::text, 500000, 500000, 'LKR', 'paid', created_at, created_at from subscription",
    "insert into invoice (id, number, user_id, subscription_id, provider, charge, issued_at, currency, lines, net_cents, vat_cents,
        total_cents, seller, buyer)
    select gen_random_uuid(), s.id || '-' || m, s.user_id, s.id, 'payhere', s.id || '-' || m, s.start_date + m * interval '30 days',
        'LKR', '[]', 500000, 0, 500000, '{}', '{}'
    from subscription s, generate_series(0, 11) m where s.start_date + m * interval '30 days' < least(s.holds_until, '2026-11-25+05:30')",
    // Payment events: one in twenty was not applied.
    "insert into payment_event (provider, event_id, event, occurred_at, received_at, outcome, subscription_id, settled_at,
        settlement_note)
    select i.provider, i.charge, jsonb_build_object('id', i.charge, 'at', '2026-11-20T00:00:00Z', 'checkout', i.subscription_id,
            'told', jsonb_build_object('kind', 'failed')), i.issued_at, i.issued_at,
        case when n % 20 = 0 then 'unexpected' else 'applied' end, i.subscription_id,
        case when n % 40 = 0 then i.issued_at end, case when n % 40 = 0 then 'Refunded' end
    from (select *, row_number() over (order by issued_at) as n from invoice) i",
    // Notices: nine of ten are the first print of a tender. One in five needs or needed a reviewer.
    "insert into clip (hash, media_type, size, created_at) values (repeat('a', 64), 'image/jpeg', 20, '2025-11-26+05:30')",
    "insert into tender (id, owner_id, revision, status, published_at, created_at, updated_at, closing_at)
    select pg_temp.id(3, n, $notices), null, 1, 'published', at, at, at, at + interval '21 days'
    from generate_series(1, $notices) n, lateral (select pg_temp.moment(n, $notices) as at) m where n % 10 <> 0",
    "insert into tender_revision (tender_id, revision, record, at)
    select pg_temp.id(3, n, $notices), 1, r.record || jsonb_build_object('_id', pg_temp.id(3, n, $notices)), pg_temp.moment(n, $notices)
    from generate_series(1, $notices) n join record r on r.nth = n % (select count(*) from record) where n % 10 <> 0",
    "insert into notice (key, tender_id, content_hash, clip_hash, received_at, role, record, decided_at, by_operator, doubt, candidates)
    select lpad(to_hex(n), 32, '0'),
        case when n % 10 <> 0 then pg_temp.id(3, n, $notices) when n % 30 = 0 then pg_temp.id(3, n - 1, $notices) end,
        sha256(n::text::bytea), repeat('a', 64), at,
        case when n % 10 <> 0 then 'original' when n % 30 = 0 then 'source' when n % 30 = 10 then 'review' else 'rejected' end,
        r.record, at, false, case when n % 30 = 10 then (array['alike', 'possibly-no-notice'])[1 + n % 4 / 2] end,
        case when n % 30 = 10 then '[]'::jsonb end
    from generate_series(1, $notices) n join record r on r.nth = n % (select count(*) from record),
        lateral (select pg_temp.moment(n, $notices) as at) m",
    "insert into review_item (notice_key, reason, entered_at, priority, closing_at, alerts, counted_at)
    select key, case when doubt = 'alike' then 'relation' when doubt is not null then 'notice' else 'fields' end, received_at,
        case when n % 3 = 0 then 0 when n % 10 = 1 then 2 else 1 end, received_at + interval '21 days', n % 40, '2100-01-01+05:30'
    from (select *, row_number() over (order by key) as n from notice) i
    where role = 'review' or (role = 'original' and n % 6 = 1)",
    "insert into review_decision (id, notice_key, at, decision, before, after, seconds)
    select gen_random_uuid(), key, received_at, 'accept', '{}', '{}', 40 from notice where by_operator is false and key like '%7'",
    // Newspaper pages: sixteen a file, with five notices and three other blocks each.
    "insert into page_file (id, hash, name, media_type, size, publication, page_count, is_stored, created_at)
    select pg_temp.id(4, f, $notices / 80), encode(sha256(f::text::bytea), 'hex'), 'issue-' || f || '.pdf', 'application/pdf', 9000000,
        'Daily Lanka ' || f % 9, 16, true, pg_temp.moment(f, $notices / 80)
    from generate_series(1, $notices / 80) f",
    "insert into page (id, file_id, number, state, attempts, due_at, failure, publication, issue_date, picture, created_at, read_at)
    select pg_temp.id(5, f * 16 + p, $notices / 5 + 16), pg_temp.id(4, f, $notices / 80), p, state, 1, at,
        case when state in ('failed', 'set-aside') then 'The file is damaged' end, 'Daily Lanka ' || f % 9, at::date,
        case when state = 'read' then encode(sha256((f || '-' || p)::bytea), 'hex') end, at, case when state = 'read' then at end
    from generate_series(1, $notices / 80) f, generate_series(1, 16) p, lateral (select pg_temp.moment(f, $notices / 80) as at,
        case when f > $notices / 80 - 20 then 'waiting' when f % 100 = 1 and p = 1 then 'set-aside'
            when f % 100 = 2 and p = 1 then 'failed' else 'read' end as state) m",
    "insert into page_block (page_id, number, x, y, width, height, outcome, reason, notice_key, title)
    select id, b, 0.1, 0.1 * b, 0.3, 0.1, (array['tender', 'tender', 'doubtful', 'tender', 'waits', 'not-a-notice', 'refused',
            'too-little-text'])[b], case when b > 5 then 'An advertisement' end,
        case when b <= 5 then lpad(to_hex((n - 1) * 5 + b), 32, '0') end, 'Supply of chairs'
    from (select id, row_number() over (order by id) as n from page where state = 'read') p, generate_series(1, 8) b",
    // Tenders of new publishers that wait for a check.
    "insert into tender (id, owner_id, revision, status, created_at, updated_at, held_at, held_number)
    select pg_temp.id(6, n, 500), pg_temp.id(1, n, $users), 1, 'draft', at, at, at, nextval('tender_held_number')
    from generate_series(1, 500) n, lateral (select pg_temp.moment(n, 500) as at) m",
    "insert into tender_revision (tender_id, revision, record, at)
    select t.id, 1, r.record || jsonb_build_object('_id', t.id, 'status', 'draft'), t.created_at
    from tender t join record r on r.nth = t.held_number % (select count(*) from record) where t.held_number is not null",
    // Messages to users: five for each user were sent, one in forty was given up.
    "insert into delivery (id, user_id, kind, channel, frequency, address, state, opened_at, seal_at, message_id, content, sealed_at,
        attempts, sent_at, last_error)
    select pg_temp.id(7, n, $users * 5), pg_temp.id(1, 1 + n % $users, $users), 'letter', 'email', 'immediate',
        'user' || 1 + n % $users || '@readers.example', case when n % 40 = 0 then 'dead' else 'sent' end, at, at, 'm' || n,
        convert_to('From: desk@portal.example' || chr(13) || chr(10) || 'To: user' || n || '@readers.example' || chr(13) || chr(10)
            || 'Subject: Mail ' || n || chr(13) || chr(10) || chr(13) || chr(10) || repeat('A tender matches your alert. ', 40), 'UTF8'),
        at, 1 + n % 3, case when n % 40 <> 0 then at end,
        case when n % 40 = 0 then (array['550 no such user', '552 mailbox full', '554 refused'])[1 + n / 40 % 3] end
    from generate_series(1, $users * 5) n, lateral (select pg_temp.moment(n, $users * 5) as at) m",
    "insert into suppression (address, reason, detail, at)
    select 'user' || n || '@readers.example', case when n % 9 = 0 then 'complaint' else 'bounce' end, '550 5.1.1 no such user',
        pg_temp.moment(n, $users)
    from generate_series(1, $users, 10) n",
    "insert into contact_message (id, user_id, name, email, message, is_priority, at, tender_id, answered_at, answered_by)
    select pg_temp.id(8, n, $users / 2), pg_temp.id(1, 1 + n % $users, $users), 'Nimal Silva', 'nimal' || n || '@readers.example',
        'Please correct the closing ' || n || '. ' || repeat('The newspaper prints another date. ', 10), n % 9 = 0, at,
        case when n % 3 = 0 and n % 10 <> 0 then pg_temp.id(3, n, $notices) end, case when n % 5 <> 0 then at end,
        case when n % 5 <> 0 then pg_temp.id(1, 7, $users) end
    from generate_series(1, $users / 2) n, lateral (select pg_temp.moment(n, $users / 2) as at) m",
    "insert into operator_token (id, name, token_hash, created_at, last_used_at, revoked_at, scopes)
    select pg_temp.id(9, n, 300), 'desk ' || n, sha256(('token' || n)::bytea), at, at, case when n % 3 <> 0 then at end, '{publish,work}'
    from generate_series(1, 300) n, lateral (select pg_temp.moment(n, 300) as at) m",
    "insert into audit_entry (at, actor_kind, actor_id, address, action, subject_kind, subject_id, before, after)
    select pg_temp.moment(n, $notices * 2), 'user', pg_temp.id(1, 1 + n % 50, $users), '127.0.0.1',
        case when n % 20000 = 0 then 'change-plan' when n % 50 = 0 then 'lock-user' else 'decide-review' end, 'notice', 'subject-' || n % 5000,
        jsonb_build_object('title', 'Supply of chairs ' || n), jsonb_build_object('decision', 'accept', 'title', 'Supply of tables ' || n)
    from generate_series(1, $notices * 2) n",
    // Alerts and matches, for the figures.
    "insert into alert (id, user_id, revision, name, is_active, email_enabled, frequency, created_at, updated_at, query)
    select pg_temp.id(10, n, $users / 2), pg_temp.id(1, 1 + n % $users, $users), 1, 'Roads', true, true, 'daily', at, at, '{}'
    from generate_series(1, $users / 2) n, lateral (select pg_temp.moment(n, $users / 2) as at) m",
    "insert into match (alert_id, tender_id, tender_revision, position, why, at)
    select pg_temp.id(10, 1 + (n * 13 + k) % ($users / 2), $users / 2), pg_temp.id(3, n, $notices), 1, n, '{}', pg_temp.moment(n, $notices)
    from generate_series(1, $notices) n, generate_series(1, 2) k where n % 10 <> 0 on conflict do nothing",
];

/// Fills a database whose migrations have run. The notices state the tenders in turn.
pub(super) fn fill(url: &str, tenders: &[String], notices: u32, users: u32) -> Result<()> {
    let mut client = Client::connect(url, NoTls).with_context(|| format!("no connection to {url}"))?;
    client.batch_execute(FUNCTIONS)?;
    client.batch_execute("create temporary table record (nth bigint primary key, record jsonb not null)")?;
    client.execute(
        "insert into record
        select nth - 1, record::jsonb || '{\"_id\": \"00000000-0000-0000-0000-000000000000\"}'
        from unnest($1::text[]) with ordinality as r (record, nth)",
        &[&tenders],
    )?;
    for statement in STATEMENTS {
        let statement =
            statement.replace("$users", &users.to_string()).replace("$notices", &notices.to_string());
        client.batch_execute(&statement).with_context(|| statement.trim().to_owned())?;
    }
    Ok(client.batch_execute("vacuum analyze")?)
}
