-- Account mails and confirmation codes contain live secrets, such as the link that sets a password.
-- Their content is emptied when they are sent.

-- What is kept of an emptied message: the head of a mail, and nothing of other messages.
create function message_head(channel text, content bytea) returns bytea language sql immutable as $$
    select case
        when channel = 'email' and position('\x0d0a0d0a'::bytea in content) > 0
            then substring(content for position('\x0d0a0d0a'::bytea in content) + 3)
        else ''::bytea
    end
$$;

-- Secrets that earlier versions kept.
update delivery set content = message_head(channel, content), emptied_at = sent_at
where kind = 'letter' and state = 'sent' and emptied_at is null;
