-- Whether a user had a plan at some moment is asked for every match: that looks at ended subscriptions too.
create index subscription_user on subscription (user_id, start_date);
