-- Accounts at a third party that sign a user in.
create table identity (
    provider text not null check (provider in ('google')),
    -- The provider's own name for the account: it never changes and is never given to another, as an address may be.
    subject text not null check (char_length(subject) between 1 and 255),
    user_id uuid not null references users on delete cascade,
    created_at timestamptz not null,
    primary key (provider, subject)
);
create unique index identity_user_key on identity (user_id, provider);
