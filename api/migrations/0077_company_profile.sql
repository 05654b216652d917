-- What a company has that notices ask for. A team shares the profile of its owner.
create table company_profile (
    owner_id uuid primary key references users on delete cascade,
    profile jsonb not null,
    -- Counts the changes, so that two members do not overwrite each other's.
    version integer not null check (version > 0),
    updated_by uuid references users on delete set null,
    updated_at timestamptz not null
);
create index company_profile_updated_by on company_profile (updated_by) where updated_by is not null;
