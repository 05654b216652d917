-- What became of the blocks of pages until now: a notice may have been accepted, rejected or withdrawn with its batch since
-- its page was read.
create view page_block_now as
select b.page_id, b.number, b.x, b.y, b.width, b.height, b.reason, b.notice_key, b.title, n.tender_id,
    r.reason as review_reason,
    case
        when n.key is null then b.outcome
        when n.role = 'rejected' then 'rejected'
        when n.role = 'review' then 'waits'
        when r.reason = 'fields' then 'doubtful'
        else 'tender'
    end as outcome
from page_block b
left join notice n on n.key = b.notice_key
left join review_item r on r.notice_key = n.key;
