-- A deleted row is looked up in each table that refers to it. Without an index, each look-up reads the
-- whole table, and messages are never deleted. The first index also serves the limits per user and the
-- list of a webhook's calls.
create index delivery_user on delivery (user_id, sealed_at);
create index delivery_alert on delivery (alert_id) where alert_id is not null;
drop index alert_user;
create index alert_user on alert (user_id);
create index delivery_item_tender on delivery_item (tender_id);
create index favourite_tender on favourite (tender_id);
create index notice_clip on notice (clip_hash) where clip_hash is not null;
create index contact_message_user on contact_message (user_id) where user_id is not null;
create index checkout_credited on checkout (credited_id) where credited_id is not null;
create index checkout_subscription on checkout (subscription_id) where subscription_id is not null;
create index payment_event_subscription on payment_event (subscription_id) where subscription_id is not null;
create index review_decision_tender on review_decision (created_tender_id) where created_tender_id is not null;
create index batch_withdrawal_token on batch_withdrawal (token_id) where token_id is not null;
create index batch_withdrawal_notice_notice on batch_withdrawal_notice (notice_key);
create index batch_withdrawal_notice_tender on batch_withdrawal_notice (tender_id) where tender_id is not null;

-- The codes that were sent to phones in the last hour are counted for each new code.
create index delivery_phone_code on delivery (sealed_at) where kind = 'letter' and channel in ('sms', 'whatsapp');
