-- A notice that joins a tender of a supplier adds to the tender's text. These are the revisions of the tender before and
-- after the decision, so that the decision can be undone.
alter table review_decision
    add column revision_before bigint,
    add column revision_after bigint,
    add check ((revision_before is null) = (revision_after is null));
-- Corrigenda that wait for the return of a tender that a person assigned them to.
create index notice_no_tender on notice (received_at) where doubt = 'no-tender' and by_operator;
