-- What the decisions of reviewers teach: how accurate the readers are, and which names they do not know.

-- A random share of the notices that were read with certainty is also checked. Otherwise, only the doubtful ones would be
-- measured.
alter table review_item
    drop constraint review_item_reason_check,
    add constraint review_item_reason_check check (reason in ('notice', 'relation', 'fields', 'mistake', 'sample'));

alter table review_decision
    -- Whether the notice was in the queue as a random check.
    add column is_sample boolean not null default false,
    -- Whether the text was rejected because it is no tender notice. Null: it was not rejected, or for another reason.
    add column is_no_notice boolean;

-- How a field was read, as the reviewer found out.
create table field_check (
    decision_id uuid not null references review_decision on delete cascade,
    -- The path of the field. `notice`: whether the text is a tender notice.
    field text not null check (char_length(field) between 1 and 100),
    -- How the readers had marked the field.
    state text not null check (state in ('certain', 'doubtful', 'not-read')),
    -- wrong: another value, or a value that is not printed. missed: nothing was read.
    outcome text not null check (outcome in ('right', 'wrong', 'missed')),
    primary key (decision_id, field)
);

-- Names of organisations and towns that reviewers entered, and what administrators decided about them. Readers use the
-- confirmed ones.
create table gazetteer_name (
    id uuid primary key,
    kind text not null check (kind in ('organization', 'town')),
    name text not null check (char_length(name) between 1 and 200),
    -- The name in lower case and without punctuation.
    plain_name text not null,
    -- Other spellings that newspapers print.
    spellings text[] not null default '{}',
    organization_type text check (organization_type in ('government', 'semi-government', 'private', 'ngo')),
    district text,
    state text not null check (state in ('proposed', 'confirmed', 'refused')),
    created_at timestamptz not null,
    decided_at timestamptz,
    check ((kind = 'town') = (district is not null)),
    check (kind = 'organization' or organization_type is null),
    check ((state = 'proposed') = (decided_at is null))
);
create unique index gazetteer_name_plain on gazetteer_name (kind, plain_name, coalesce(district, ''));
create index gazetteer_name_state on gazetteer_name (state, plain_name, id);

-- The decisions in which a reviewer used a name.
create table gazetteer_use (
    name_id uuid not null references gazetteer_name on delete cascade,
    decision_id uuid not null references review_decision on delete cascade,
    primary key (name_id, decision_id)
);
create index gazetteer_use_decision on gazetteer_use (decision_id);
