-- Mails about documents of companies that expire soon, prepared each morning.
-- compatible: it permits more
alter table daily_pass
    drop constraint daily_pass_name_check,
    add constraint daily_pass_name_check check (name in ('reminders', 'summary', 'reports', 'expiries'));
insert into daily_pass (name) values ('expiries');
