-- Mails are written once and read once, and compressing them the usual way took a good part of the time to seal them. Where the server
-- does not know the faster way, it stays as it is.
do $$
begin
    alter table delivery alter column content set compression lz4;
exception
    when feature_not_supported then null;
end
$$;
