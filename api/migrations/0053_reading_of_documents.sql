-- A job reads the text of a document after the upload, so that a hostile file does not hold the request.
-- `awaits_text` marks the documents that it has still to read. A reader that dies leaves its claim, and the
-- document is read again. `text_attempts` ends this for a document that makes every reader die.
alter table document
    add column awaits_text boolean not null default false,
    add column text_attempts smallint not null default 0,
    add column text_claimed_at timestamptz;
create index document_awaits_text on document (created_at) where awaits_text and removed_at is null;

-- How many drafts and documents a user has stored on one day. Rows of documents do not show this, because
-- they are deleted with their draft while their files remain for a day.
create table stored_today (
    user_id uuid primary key references users on delete cascade,
    day date not null,
    drafts integer not null,
    documents integer not null
);
