-- The secrets of webhooks are encrypted with a key that is not in the database, so that a copy of the database does not
-- contain them. The server encrypts the secrets of earlier versions when it starts, because only it has the key.
alter table webhook
    alter column secret drop not null,
    -- `SecretBox::seal` of the secret.
    add column sealed_secret bytea,
    add check (num_nonnulls(secret, sealed_secret) = 1);
create index webhook_unsealed on webhook (user_id) where secret is not null;
