-- What the pages of buyers and of the market count: the certain facts of the current revision of each
-- tender. They follow from the record. A row of an older revision or of older rules is replaced.
create table tender_facts (
    tender_id uuid primary key references tender on delete cascade,
    revision bigint not null check (revision > 0),
    -- The version of the rules that derived the row.
    rules integer not null check (rules > 0),
    -- Whether everyone may see the tender, and it invites bids. Otherwise all facts are empty.
    is_listed boolean not null,
    -- The body: what its address is, and its name as printed.
    body_slug text check (char_length(body_slug) between 1 and 100),
    body_name text,
    sector text,
    category text,
    district text,
    grades text[] not null default '{}',
    -- The first day on which the tender was printed or published.
    first_day date,
    closing_at timestamptz,
    -- The days from the first day to the closing.
    notice_days integer check (notice_days between 0 and 400),
    -- The days that the procurement guidelines require. Null: they don't apply, or it is not certain.
    required_days smallint check (required_days in (21, 42)),
    is_method_stated boolean,
    -- The bid security, in percent or in hundredths of rupees.
    bond_percentage double precision check (bond_percentage > 0 and bond_percentage <= 100),
    bond_amount bigint check (bond_amount > 0),
    -- The price of the documents in hundredths of rupees.
    fee_amount bigint check (fee_amount >= 0),
    is_changed boolean not null default false,
    extended_days integer check (extended_days > 0),
    check ((body_slug is null) = (body_name is null)),
    check (is_listed or (body_slug is null and first_day is null and closing_at is null))
);
create index tender_facts_body on tender_facts (body_slug) where is_listed;

-- The address of the page of the body that awards. Null: there is no body, or it is not filled in yet.
alter table award add column body_slug text check (char_length(body_slug) between 1 and 100);
create index award_body on award (body_slug) where body_slug is not null;

-- The tenders that everyone may see and that invite bids, with their facts. Facts of an older revision do
-- not count: they may name what is no longer public.
create view listed_tender as
    select f.*, t.status, t.published_at,
        case when t.status = 'published' then coalesce(t.closing_at, t.published_at + interval '90 days') end as live_until
    from tender t join tender_facts f on f.tender_id = t.id and f.revision = t.revision
    where f.is_listed and t.status not in ('draft', 'withdrawn');
