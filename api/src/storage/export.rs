//! The stored data of one user as JSON objects for a file. Secrets such as password hashes and
//! usable links are left out.

use futures::stream::BoxStream;
use serde_json::Value;
use sqlx::PgConnection;
use uuid::Uuid;

/// A section of the file: the rows of one kind of data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    /// Name, address and role, as one object.
    Profile,
    /// Mail addresses.
    Addresses,
    /// Connected Google accounts.
    Google,
    /// Sessions, past and present.
    Sessions,
    /// Second factors without their secrets.
    SecondFactors,
    /// Subscriptions.
    Subscriptions,
    /// Checkouts.
    Checkouts,
    /// Invoices.
    Invoices,
    /// Tenders with every revision.
    Tenders,
    /// Alerts, with every revision.
    Alerts,
    /// Matches of the alerts.
    Matches,
    /// Messages without their text, and the tenders in them.
    Mails,
    /// Views of tender details.
    Views,
    /// Intentions to bid.
    Intentions,
    /// Saved tenders.
    SavedTenders,
    /// Saved searches.
    SavedSearches,
    /// Reports.
    Reports,
    /// Documents attached to tenders, without the files.
    Documents,
    /// Downloads of documents.
    Downloads,
    /// Messages from the contact form.
    ContactMessages,
    /// Mailed links.
    MailedLinks,
    /// API keys without their secrets.
    Keys,
    /// Calls with API keys, by period.
    KeyCalls,
    /// The phone number and the webhook for alerts, without the webhook's secret.
    Channels,
    /// Memberships of a team, and invitations to it.
    Team,
    /// The profile of the company.
    Company,
    /// Bids on the user's board, with their notes, tasks and history.
    Bids,
    /// Notes on bids of another board.
    BidNotes,
    /// Reminders of the deadlines of bids.
    BidReminders,
}

impl Section {
    /// All sections, in the order of the file.
    pub const ALL: [Self; 29] = [
        Self::Profile,
        Self::Addresses,
        Self::Google,
        Self::Sessions,
        Self::SecondFactors,
        Self::Subscriptions,
        Self::Checkouts,
        Self::Invoices,
        Self::Tenders,
        Self::Alerts,
        Self::Matches,
        Self::Mails,
        Self::Views,
        Self::Intentions,
        Self::SavedTenders,
        Self::SavedSearches,
        Self::Reports,
        Self::Documents,
        Self::Downloads,
        Self::ContactMessages,
        Self::MailedLinks,
        Self::Keys,
        Self::KeyCalls,
        Self::Channels,
        Self::Team,
        Self::Company,
        Self::Bids,
        Self::BidNotes,
        Self::BidReminders,
    ];

    /// The name of the section in the file.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Profile => "profile",
            Self::Addresses => "addresses",
            Self::Google => "google",
            Self::Sessions => "sessions",
            Self::SecondFactors => "secondFactors",
            Self::Subscriptions => "subscriptions",
            Self::Checkouts => "checkouts",
            Self::Invoices => "invoices",
            Self::Tenders => "tenders",
            Self::Alerts => "alerts",
            Self::Matches => "matches",
            Self::Mails => "mails",
            Self::Views => "views",
            Self::Intentions => "intentions",
            Self::SavedTenders => "savedTenders",
            Self::SavedSearches => "savedSearches",
            Self::Reports => "reports",
            Self::Documents => "documents",
            Self::Downloads => "downloads",
            Self::ContactMessages => "contactMessages",
            Self::MailedLinks => "mailedLinks",
            Self::Keys => "keys",
            Self::KeyCalls => "keyCalls",
            Self::Channels => "channels",
            Self::Team => "team",
            Self::Company => "company",
            Self::Bids => "bids",
            Self::BidNotes => "bidNotes",
            Self::BidReminders => "bidReminders",
        }
    }
}

/// Streams the objects of a section.
pub fn rows(
    db: &mut PgConnection,
    section: Section,
    user_id: Uuid,
) -> BoxStream<'_, Result<Value, sqlx::Error>> {
    match section {
        Section::Profile => sqlx::query_scalar!(
            r#"select jsonb_build_object('id', id, 'email', email, 'firstName', first_name, 'lastName', last_name,
                'phone', phone, 'company', company, 'role', role, 'language', language,
                'weeklySummary', weekly_summary, 'savedMails', saved_mails, 'silenceMails', silence_mails, 'hasPassword', password_hash is not null,
                'createdAt', created_at, 'updatedAt', updated_at) as "row!"
            from users where id = $1"#,
            user_id,
        )
        .fetch(db),
        Section::Addresses => sqlx::query_scalar!(
            r#"select jsonb_build_object('email', email, 'verifiedAt', verified_at, 'createdAt', created_at,
                'mailReturned', s.reason, 'mailReturnedAt', s.at) as "row!"
            from address left join suppression s on s.address = lower(email) where user_id = $1 order by created_at, email"#,
            user_id,
        )
        .fetch(db),
        Section::Google => sqlx::query_scalar!(
            r#"select jsonb_build_object('subject', subject, 'createdAt', created_at) as "row!"
            from identity where user_id = $1 order by created_at"#,
            user_id,
        )
        .fetch(db),
        Section::Sessions => sqlx::query_scalar!(
            r#"select jsonb_build_object('id', id, 'userAgent', user_agent, 'begunAt', begun_at, 'usedAt', used_at,
                'expiresAt', expires_at, 'endsAt', ends_at, 'endedAt', ended_at,
                'secondFactorAt', second_factor_at) as "row!"
            from session where user_id = $1 order by begun_at, id"#,
            user_id,
        )
        .fetch(db),
        Section::SecondFactors => sqlx::query_scalar!(
            r#"select jsonb_build_object('kind', 'totp', 'createdAt', created_at, 'confirmedAt', confirmed_at) as "row!"
            from totp where user_id = $1
            union all select jsonb_build_object('kind', 'passkey', 'name', name, 'createdAt', created_at, 'usedAt', used_at)
            from passkey where user_id = $1
            union all select jsonb_build_object('kind', 'recoveryCode', 'usedAt', used_at)
            from recovery_code where user_id = $1"#,
            user_id,
        )
        .fetch(db),
        Section::Subscriptions => sqlx::query_scalar!(
            r#"select jsonb_build_object('id', id, 'plan', plan, 'status', status, 'billingCycle', billing_cycle,
                'startDate', start_date, 'endDate', end_date, 'autoRenew', auto_renew, 'createdAt', created_at,
                'priceCents', price_cents, 'currency', currency, 'holdsUntil', holds_until, 'provider', provider,
                'unpaidSince', unpaid_since, 'nextPlan', next_plan, 'nextBillingCycle', next_cycle,
                'cancelReason', cancel_reason, 'endedAt', ended_at) as "row!"
            from subscription where user_id = $1 order by created_at, id"#,
            user_id,
        )
        .fetch(db),
        Section::Checkouts => sqlx::query_scalar!(
            r#"select jsonb_build_object('id', id, 'subscriptionId', subscription_id, 'provider', provider, 'amountCents', amount_cents,
                'priceCents', price_cents, 'currency', currency, 'status', status, 'createdAt', created_at) as "row!"
            from checkout where user_id = $1 order by created_at, id"#,
            user_id,
        )
        .fetch(db),
        Section::Invoices => sqlx::query_scalar!(
            r#"select jsonb_build_object('id', id, 'number', number, 'subscriptionId', subscription_id, 'issuedAt', issued_at,
                'currency', currency, 'lines', lines, 'netCents', net_cents, 'vatCents', vat_cents, 'totalCents', total_cents,
                'seller', seller, 'buyer', buyer, 'provider', provider, 'payment', charge) as "row!"
            from invoice where user_id = $1 order by issued_at, number"#,
            user_id,
        )
        .fetch(db),
        Section::Tenders => sqlx::query_scalar!(
            r#"select jsonb_build_object('id', id, 'status', status, 'publishedAt', published_at, 'createdAt', created_at,
                'draftInput', draft_input, 'revisions', (select jsonb_agg(jsonb_build_object('at', r.at, 'record', r.record) order by r.revision)
                    from tender_revision r where r.tender_id = tender.id)) as "row!"
            from tender where owner_id = $1 order by created_at, id"#,
            user_id,
        )
        .fetch(db),
        Section::Alerts => sqlx::query_scalar!(
            r#"select jsonb_build_object('id', id, 'name', name, 'description', description, 'isActive', is_active,
                'emailEnabled', email_enabled, 'frequency', frequency, 'customEmail', custom_email,
                'dailySummaryTime', daily_summary_time, 'channels', channels, 'createdAt', created_at, 'deletedAt', deleted_at,
                'revisions', (select jsonb_agg(jsonb_build_object('at', r.at, 'query', r.query) order by r.revision)
                    from alert_revision r where r.alert_id = alert.id)) as "row!"
            from alert where user_id = $1 order by created_at, id"#,
            user_id,
        )
        .fetch(db),
        Section::Matches => sqlx::query_scalar!(
            r#"select jsonb_build_object('alertId', m.alert_id, 'tenderId', m.tender_id, 'at', m.at, 'why', m.why) as "row!"
            from match m join alert a on a.id = m.alert_id where a.user_id = $1 order by m.at, m.alert_id, m.tender_id"#,
            user_id,
        )
        .fetch(db),
        Section::Mails => sqlx::query_scalar!(
            r#"select jsonb_build_object('id', id, 'kind', kind, 'address', address, 'frequency', frequency, 'state', state,
                'openedAt', opened_at, 'sentAt', sent_at,
                'tenders', (select jsonb_agg(i.tender_id order by i.added_at, i.tender_id)
                    from delivery_item i where i.delivery_id = delivery.id)) as "row!"
            from delivery where user_id = $1 order by opened_at, id"#,
            user_id,
        )
        .fetch(db),
        Section::Views => sqlx::query_scalar!(
            r#"select jsonb_build_object('tenderId', tender_id, 'at', at) as "row!"
            from tender_view where viewer = $1 order by at, tender_id"#,
            user_id,
        )
        .fetch(db),
        Section::Intentions => sqlx::query_scalar!(
            r#"select jsonb_build_object('tenderId', tender_id, 'at', at) as "row!"
            from tender_intention where user_id = $1 order by at, tender_id"#,
            user_id,
        )
        .fetch(db),
        Section::SavedTenders => sqlx::query_scalar!(
            r#"select jsonb_build_object('tenderId', tender_id, 'at', at) as "row!"
            from favourite where user_id = $1 order by at, tender_id"#,
            user_id,
        )
        .fetch(db),
        Section::SavedSearches => sqlx::query_scalar!(
            r#"select jsonb_build_object('id', id, 'name', name, 'query', query, 'createdAt', created_at) as "row!"
            from saved_search where user_id = $1 order by created_at, id"#,
            user_id,
        )
        .fetch(db),
        Section::Reports => sqlx::query_scalar!(
            r#"select jsonb_build_object('id', id, 'name', name, 'asked', asked, 'monthlySince', monthly_since,
                'createdAt', created_at, 'updatedAt', updated_at) as "row!"
            from report where user_id = $1 order by created_at, id"#,
            user_id,
        )
        .fetch(db),
        Section::Documents => sqlx::query_scalar!(
            r#"select jsonb_build_object('id', d.id, 'tenderId', d.tender_id, 'name', d.name, 'type', d.media_type,
                'size', d.size, 'sha256', d.hash, 'createdAt', d.created_at, 'removedAt', d.removed_at) as "row!"
            from document d join tender t on t.id = d.tender_id where t.owner_id = $1 order by d.created_at, d.id"#,
            user_id,
        )
        .fetch(db),
        Section::Downloads => sqlx::query_scalar!(
            r#"select jsonb_build_object('documentId', document_id, 'at', at) as "row!"
            from document_download where user_id = $1 order by at, document_id"#,
            user_id,
        )
        .fetch(db),
        Section::ContactMessages => sqlx::query_scalar!(
            r#"select jsonb_build_object('name', name, 'email', email, 'message', message, 'tenderId', tender_id, 'at', at) as "row!"
            from contact_message where user_id = $1 or (user_id is null and lower(email) in (
                select lower(email) from address where user_id = $1 and verified_at is not null))
            order by at, id"#,
            user_id,
        )
        .fetch(db),
        Section::MailedLinks => sqlx::query_scalar!(
            r#"select jsonb_build_object('purpose', purpose, 'email', email, 'createdAt', created_at,
                'expiresAt', expires_at, 'usedAt', used_at) as "row!"
            from mailed_link where user_id = $1 order by created_at"#,
            user_id,
        )
        .fetch(db),
        Section::Keys => sqlx::query_scalar!(
            r#"select jsonb_build_object('name', name, 'prefix', prefix, 'scopes', scopes, 'createdAt', created_at,
                'lastUsedAt', last_used_at) as "row!"
            from api_key where user_id = $1 order by created_at"#,
            user_id,
        )
        .fetch(db),
        Section::KeyCalls => sqlx::query_scalar!(
            r#"select jsonb_build_object('periodStart', period_start, 'calls', calls) as "row!"
            from api_call where user_id = $1 order by period_start"#,
            user_id,
        )
        .fetch(db),
        Section::Channels => sqlx::query_scalar!(
            r#"select jsonb_build_object('channel', 'phone', 'number', number, 'verifiedAt', verified_at) as "row!"
            from phone where user_id = $1
            union all
            select jsonb_build_object('channel', 'webhook', 'url', url, 'createdAt', created_at, 'failingSince', failing_since, 'offAt', off_at)
            from webhook where user_id = $1"#,
            user_id,
        )
        .fetch(db),
        Section::Team => sqlx::query_scalar!(
            r#"select row as "row!" from (
                select jsonb_build_object('role', 'owner', 'joinedAt', joined_at) as row, joined_at as at
                from team_member where owner_id = $1
                union all
                select jsonb_build_object('role', 'member', 'joinedAt', joined_at), joined_at
                from team_member where member_id = $1
                union all
                select jsonb_build_object('role', 'owner', 'invited', email, 'invitedAt', created_at), created_at
                from team_invitation where owner_id = $1
            ) as team order by at"#,
            user_id,
        )
        .fetch(db),
        Section::Company => sqlx::query_scalar!(
            r#"select profile || jsonb_build_object('updatedAt', updated_at) as "row!"
            from company_profile where owner_id = $1"#,
            user_id,
        )
        .fetch(db),
        Section::Bids => sqlx::query_scalar!(
            r#"select jsonb_build_object('tenderId', b.tender_id, 'stage', b.stage, 'isOwner', coalesce(b.owner_id = $1, false),
                'value', b.value_cents / 100.0, 'createdAt', b.created_at, 'updatedAt', b.updated_at,
                'notes', (select coalesce(jsonb_agg(jsonb_build_object('isOwn', coalesce(n.author_id = $1, false),
                    'text', n.text, 'createdAt', n.created_at) order by n.created_at, n.id), '[]')
                    from bid_note n where n.bid_id = b.id),
                'tasks', (select coalesce(jsonb_agg(jsonb_build_object('title', k.title, 'due', k.due,
                    'isAssignee', coalesce(k.assignee_id = $1, false), 'doneAt', k.done_at, 'createdAt', k.created_at)
                    order by k.created_at, k.id), '[]') from bid_task k where k.bid_id = b.id),
                'files', (select coalesce(jsonb_agg(jsonb_build_object('name', f.name, 'type', f.media_type, 'size', f.size,
                    'hash', f.hash, 'isOwn', coalesce(f.uploader_id = $1, false), 'createdAt', f.created_at)
                    order by f.created_at, f.id), '[]') from bid_file f where f.bid_id = b.id),
                'ownRows', (select coalesce(jsonb_agg(jsonb_build_object('title', c.title, 'createdAt', c.created_at)
                    order by c.created_at, c.id), '[]') from bid_checklist_row c where c.bid_id = b.id),
                'ticks', (select coalesce(jsonb_agg(jsonb_build_object('row', c.row_key, 'at', c.at,
                    'isOwn', coalesce(c.actor_id = $1, false)) order by c.at), '[]') from bid_tick c where c.bid_id = b.id),
                'history', (select coalesce(jsonb_agg(jsonb_build_object('at', e.at, 'isOwn', coalesce(e.actor_id = $1, false),
                    'kind', e.kind, 'before', e.before, 'after', e.after) order by e.number), '[]')
                    from bid_event e where e.bid_id = b.id)) as "row!"
            from bid b where b.account_id = $1 order by b.created_at, b.id"#,
            user_id,
        )
        .fetch(db),
        Section::BidNotes => sqlx::query_scalar!(
            r#"select jsonb_build_object('tenderId', b.tender_id, 'text', n.text, 'createdAt', n.created_at) as "row!"
            from bid_note n join bid b on b.id = n.bid_id
            where n.author_id = $1 and b.account_id <> $1 order by n.created_at, n.id"#,
            user_id,
        )
        .fetch(db),
        Section::BidReminders => sqlx::query_scalar!(
            r#"select jsonb_build_object('tenderId', b.tender_id, 'channels', s.channels, 'saleEnds', s.sale_ends,
                'preBid', s.pre_bid, 'closing', s.closing, 'updatedAt', s.updated_at) as "row!"
            from bid_reminder_setting s left join bid b on b.id = s.bid_id
            where s.user_id = $1 order by s.updated_at, s.id"#,
            user_id,
        )
        .fetch(db),
    }
}
