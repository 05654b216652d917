-- When `api backup` last made a backup, so that monitoring can warn if there is no recent one.
alter table portal_state add column backed_up_at timestamptz;
