-- Tenders that suppliers publish themselves.

-- Names the sending of the form that made it, so that a form sent twice makes one tender.
alter table tender add column submission uuid;
create unique index tender_submission_key on tender (owner_id, submission) where submission is not null;
-- What counts against an owner's quota.
create index tender_owner_published on tender (owner_id, published_at) where published_at is not null;
