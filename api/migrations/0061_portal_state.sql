-- What concerns the whole portal: whether it sends, and the restore that it comes from.
create table portal_state (
    only_row boolean primary key default true check (only_row),
    -- Since when the portal sends no messages and charges no cards, and why. Null: it sends.
    sending_off_since timestamptz,
    sending_off_reason text check (char_length(sending_off_reason) between 1 and 200),
    -- The backup that is being restored. While this is set, no server starts.
    restoring text,
    -- The backup that was restored last, and when.
    restored_from text,
    restored_at timestamptz,
    check ((sending_off_since is null) = (sending_off_reason is null)),
    check ((restored_from is null) = (restored_at is null))
);
insert into portal_state default values;
