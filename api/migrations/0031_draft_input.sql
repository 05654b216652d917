-- What was typed into a draft, where something in it is not of its kind (a bond of "two"): the record can't hold that. Null: the
-- record has it all. Only drafts have one.
alter table tender add column draft_input jsonb check (draft_input is null or status = 'draft');
