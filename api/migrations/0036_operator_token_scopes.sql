-- Operator tokens have scopes and may expire. A token that exists keeps all scopes and does not expire.
alter table operator_token
    add column scopes text[] not null default '{publish,review,work,bounces,trace}',
    add column expires_at timestamptz;
alter table operator_token
    alter column scopes drop default,
    add constraint operator_token_scopes_check
        check (cardinality(scopes) > 0 and scopes <@ '{publish,review,work,bounces,trace}');
