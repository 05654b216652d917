-- Which sending of a form made an alert, and the SHA-256 of what it held: sent again, it makes no second one.
alter table alert
    add column submission uuid,
    add column submitted_digest bytea check (octet_length(submitted_digest) = 32),
    add check ((submission is null) = (submitted_digest is null));
create unique index alert_submission_key on alert (user_id, submission) where submission is not null;
