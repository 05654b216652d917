-- The newspapers that are expected on each day, and the days on which newspapers do not appear.

create table expected_paper (
    id uuid primary key,
    name text not null check (char_length(name) between 1 and 100),
    -- The days of the week on which it appears. 1 is Monday, 7 is Sunday.
    weekdays smallint[] not null check (cardinality(weekdays) between 1 and 7 and weekdays <@ '{1,2,3,4,5,6,7}'),
    -- The time of day in Colombo by which its pages are expected.
    due_time time not null,
    min_pages integer not null check (min_pages between 1 and 200),
    prints_on_poya boolean not null,
    prints_on_holidays boolean not null,
    active_from date not null,
    -- From this day on, the newspaper is not expected.
    paused_from date,
    -- When the newspaper was added or expected again. Nobody is mailed about gaps that are older.
    expected_since timestamptz not null,
    version integer not null check (version > 0)
);

-- The spellings of the names of expected newspapers.
create table paper_spelling (
    -- The words of the spelling in lower case, see `domain::coverage::paper_key`.
    key text primary key,
    paper_id uuid not null references expected_paper on delete cascade,
    spelling text not null check (char_length(spelling) between 1 and 100)
);
create index paper_spelling_paper on paper_spelling (paper_id);

-- Issues of which a person noted that they did not appear or cannot be had.
create table absent_issue (
    paper_id uuid not null references expected_paper on delete cascade,
    day date not null,
    note text not null check (char_length(note) <= 500),
    noted_at timestamptz not null,
    primary key (paper_id, day)
);

-- Gaps of which the administrators were mailed.
create table mailed_gap (
    paper_id uuid not null references expected_paper on delete cascade,
    day date not null,
    mailed_at timestamptz not null,
    primary key (paper_id, day)
);

alter table administrator_mail
    drop constraint administrator_mail_topic_check,
    add constraint administrator_mail_topic_check check (topic in ('held-publications', 'coverage-gaps'));
insert into administrator_mail (topic) values ('coverage-gaps');

create index page_issue_date on page (issue_date) where issue_date is not null;
create index page_file_issue_date on page_file (issue_date) where issue_date is not null;
create index page_unknown_issue on page (created_at)
    where publication is null or publication = '' or issue_date is null;
create index notice_issue_date on notice ((record #>> '{sources,0,date}'));

-- Poya days, other public holidays, and days on which no newspaper appears. People edit this table.
create table holiday (
    day date primary key,
    name text not null check (char_length(name) between 1 and 100),
    kind text not null check (kind in ('poya', 'public', 'no-papers'))
);

-- 2026: the calendar of the Department of Government Printing. 2027: the calendar was not published
-- yet; the dates are computed, and those of Islamic festivals depend on the sighting of the moon.
insert into holiday (day, name, kind) values
    ('2026-01-03', 'Duruthu Full Moon Poya Day', 'poya'),
    ('2026-01-15', 'Tamil Thai Pongal Day', 'public'),
    ('2026-02-01', 'Navam Full Moon Poya Day', 'poya'),
    ('2026-02-04', 'Independence Day', 'public'),
    ('2026-02-15', 'Maha Sivarathri Day', 'public'),
    ('2026-03-02', 'Medin Full Moon Poya Day', 'poya'),
    ('2026-03-21', 'Id-ul-Fitr', 'public'),
    ('2026-04-01', 'Bak Full Moon Poya Day', 'poya'),
    ('2026-04-03', 'Good Friday', 'public'),
    ('2026-04-13', 'Day before Sinhala and Tamil New Year', 'public'),
    ('2026-04-14', 'Sinhala and Tamil New Year', 'public'),
    ('2026-05-01', 'Vesak Full Moon Poya Day and May Day', 'poya'),
    ('2026-05-02', 'Day after Vesak Full Moon Poya Day', 'public'),
    ('2026-05-28', 'Id-ul-Alha', 'public'),
    ('2026-05-30', 'Adhi Poson Full Moon Poya Day', 'poya'),
    ('2026-06-29', 'Poson Full Moon Poya Day', 'poya'),
    ('2026-07-29', 'Esala Full Moon Poya Day', 'poya'),
    ('2026-08-26', 'Milad-un-Nabi', 'public'),
    ('2026-08-27', 'Nikini Full Moon Poya Day', 'poya'),
    ('2026-09-26', 'Binara Full Moon Poya Day', 'poya'),
    ('2026-10-25', 'Vap Full Moon Poya Day', 'poya'),
    ('2026-11-08', 'Deepavali', 'public'),
    ('2026-11-24', 'Il Full Moon Poya Day', 'poya'),
    ('2026-12-23', 'Unduvap Full Moon Poya Day', 'poya'),
    ('2026-12-25', 'Christmas Day', 'public'),
    ('2027-01-15', 'Tamil Thai Pongal Day', 'public'),
    ('2027-01-22', 'Duruthu Full Moon Poya Day', 'poya'),
    ('2027-02-04', 'Independence Day', 'public'),
    ('2027-02-20', 'Navam Full Moon Poya Day', 'poya'),
    ('2027-03-06', 'Maha Sivarathri Day', 'public'),
    ('2027-03-10', 'Id-ul-Fitr', 'public'),
    ('2027-03-21', 'Medin Full Moon Poya Day', 'poya'),
    ('2027-03-26', 'Good Friday', 'public'),
    ('2027-04-13', 'Day before Sinhala and Tamil New Year', 'public'),
    ('2027-04-14', 'Sinhala and Tamil New Year', 'public'),
    ('2027-04-20', 'Bak Full Moon Poya Day', 'poya'),
    ('2027-05-01', 'May Day', 'public'),
    ('2027-05-17', 'Id-ul-Alha', 'public'),
    ('2027-05-20', 'Vesak Full Moon Poya Day', 'poya'),
    ('2027-05-21', 'Day after Vesak Full Moon Poya Day', 'public'),
    ('2027-06-18', 'Poson Full Moon Poya Day', 'poya'),
    ('2027-07-18', 'Esala Full Moon Poya Day', 'poya'),
    ('2027-08-15', 'Milad-un-Nabi', 'public'),
    ('2027-08-16', 'Nikini Full Moon Poya Day', 'poya'),
    ('2027-09-15', 'Binara Full Moon Poya Day', 'poya'),
    ('2027-10-15', 'Vap Full Moon Poya Day', 'poya'),
    ('2027-10-28', 'Deepavali', 'public'),
    ('2027-11-13', 'Il Full Moon Poya Day', 'poya'),
    ('2027-12-13', 'Unduvap Full Moon Poya Day', 'poya'),
    ('2027-12-25', 'Christmas Day', 'public');
