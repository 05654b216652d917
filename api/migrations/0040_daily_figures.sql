-- The figures of the portal by day in Colombo. A day is recorded when it is over, so that its figures stay when rows that
-- were counted are deleted.
create table daily_figure (
    figure text not null check (char_length(figure) between 1 and 40),
    day date not null,
    -- A number, seconds or whole cents, depending on the figure.
    value bigint not null check (value >= 0 or figure = 'revenue'),
    primary key (figure, day)
);

-- The days whose figures are recorded. A figure of such a day that has no row is zero.
create table daily_figure_range (
    only_row boolean primary key default true check (only_row),
    first_day date,
    last_day date,
    check ((first_day is null) = (last_day is null) and first_day <= last_day)
);
insert into daily_figure_range default values;

-- The texts of searches that found nothing: without the searching person, shortened, and deleted after some time.
create table empty_search (
    day date not null,
    text text not null check (char_length(text) between 1 and 80),
    searches integer not null check (searches > 0),
    primary key (day, text)
);

-- Since when the holder of a claim has held the notice without a break. Null: not claimed, or claimed by an earlier version.
alter table review_item
    add column claimed_at timestamptz,
    add check (claimed_at is null or claimed_by is not null);
-- How long the reviewer worked on the notice. Null: it is unknown, or a program decided.
alter table review_decision add column seconds integer check (seconds >= 0);

-- For the figures of a day. The larger tables have small indexes, because their rows are stored in the order of time.
create index match_at on match using brin (at) with (pages_per_range = 32, autosummarize = on);
create index delivery_sent on delivery using brin (sent_at) with (pages_per_range = 32, autosummarize = on);
create index delivery_returned on delivery (returned_at) where returned_at is not null;
create index notice_joined on notice (decided_at) where tender_id is not null;
create index page_read on page (read_at) where state = 'read';
create index review_decision_at on review_decision (at) include (seconds);
create index users_created on users (created_at);
create index subscription_ended on subscription (ended_at) where ended_at is not null;
create index invoice_issued on invoice (issued_at);
create index invoice_subscription on invoice (subscription_id, issued_at);
create index payment_event_reversed on payment_event (received_at) where event #>> '{told,kind}' = 'reversed';
-- For the age of the oldest notice in the review queue.
create index review_item_entered on review_item (entered_at);

-- For the lists of newspaper pages and of the audit log.
create index page_order on page (file_id desc, number);
create index audit_entry_action on audit_entry (action, id);
