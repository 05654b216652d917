-- One tender may have several notices: prints in other papers, days and languages, and corrigenda. What each says is kept, so
-- that the tender can be put together anew from all of them; what waits for a person's word has no tender yet.

alter table notice
    drop constraint notice_tender_id_key,
    alter column tender_id drop not null,
    add column role text not null default 'original'
        check (role in ('original', 'source', 'correction', 'review', 'rejected')),
    -- `index::tender::Tender`, as the notice alone says it.
    add column record jsonb,
    -- `index::notices::reference_key` of its reference.
    add column reference_key text,
    -- Since when it has its role.
    add column decided_at timestamptz,
    -- A person gave it its role: another reading does not take it away.
    add column by_operator boolean not null default false,
    -- Why it waits, and `index::notices::Candidate`s.
    add column doubt text check (doubt in ('alike', 'no-tender', 'ambiguous', 'nothing-plain', 'owned')),
    add column candidates jsonb;

-- Until now a tender was what its one notice said.
update notice set record = r.record, decided_at = notice.received_at,
    reference_key = nullif(translate(regexp_replace(lower(r.record ->> 'referenceNo'), '[^[:alnum:]]', '', 'g'),
        'oqdiljtzsbg', '00011112586'), '')
from tender t join tender_revision r on r.tender_id = t.id and r.revision = t.revision
where t.id = notice.tender_id;

alter table notice
    alter column role drop default,
    alter column by_operator drop default,
    alter column record set not null,
    alter column decided_at set not null,
    add check ((tender_id is null) = (role in ('review', 'rejected'))),
    add check ((doubt is not null) = (role = 'review')),
    add check ((candidates is not null) = (role = 'review'));

create unique index notice_original_key on notice (tender_id) where role = 'original';
create index notice_tender on notice (tender_id);
create index notice_reference on notice (reference_key) where tender_id is not null;
create index notice_review on notice (received_at, key) where role = 'review';
