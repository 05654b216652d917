-- Awards read from published decisions. A decision can award several lots, each in a row of its own.
create table award (
    id uuid primary key,
    -- The key of the decision at its source. A decision that is sent again replaces its rows.
    decision_key text not null check (char_length(decision_key) between 1 and 64),
    lot integer not null check (lot between 1 and 50),
    title text not null,
    body text,
    decided_on date not null,
    decision_number integer not null check (decision_number > 0),
    source_url text not null,
    -- As printed, and as the portal compares references.
    printed_references text[] not null,
    reference_keys text[] not null,
    winners text[] not null,
    -- In hundredths, if the contract is paid in one currency.
    amount bigint check (amount > 0),
    currency text check (currency ~ '^[A-Z]{3}$'),
    -- The award with the words it rests on: `tender_model::award::Award`, as serialised. The body has its own.
    award jsonb not null,
    body_passage jsonb,
    -- What a search looks at.
    words tsvector not null,
    content_hash bytea not null,
    updated_at timestamptz not null,
    unique (decision_key, lot),
    check ((amount is null) = (currency is null)),
    check ((body is null) = (body_passage is null))
);
create index award_words on award using gin (words);
create index award_references on award using gin (reference_keys);
create index award_newest on award (decided_on desc, decision_number desc, id);
