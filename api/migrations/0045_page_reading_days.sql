-- A page that waits to be read again counts on the day of its last reading.
drop index page_read;
create index page_read on page (read_at) where read_at is not null;
