-- Demonstration accounts have a password that everybody knows. A server without --demo refuses to start while there are any.
alter table users add column is_demo boolean not null default false;
-- The domain test is reserved: nobody else has such an address.
update users set is_demo = true where lower(email) like '%@demo.test';
create index users_demo on users (id) where is_demo;
