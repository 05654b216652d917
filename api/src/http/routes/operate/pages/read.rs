//! GET /operate/pages/{id}: shows a page and what became of its blocks.

use super::{PageView, boxes::MarkView};
use crate::{
    app::state::AppState,
    clients::page_picture,
    domain::{
        error::ServiceError,
        newspaper_page::{PageBlock, PageMark},
        review::ReviewReason,
    },
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{PathId, Reviewer},
    },
    storage::{
        newspaper_pages::{self, Neighbours},
        page_boxes,
    },
};
use axum::extract::State;
use serde::Serialize;
use tender_model::{
    page_reading::{BlockOutcome, is_same_box},
    tender::PageBox,
    vocabulary::Moment,
};
use utoipa::ToSchema;
use uuid::Uuid;

/// A page with its blocks.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PageDetails {
    /// The page.
    page: PageView,
    /// The URL of the picture of the page, valid for one to two days. `null` before the page was
    /// read.
    #[schema(required)]
    picture_url: Option<String>,
    /// The id of the page before in the file.
    #[schema(required)]
    previous: Option<Uuid>,
    /// The id of the page after in the file.
    #[schema(required)]
    next: Option<Uuid>,
    /// The blocks in reading order, as the page was last read.
    blocks: Vec<BlockView>,
    /// The boxes about which people have decided, oldest first.
    boxes: Vec<MarkView>,
}

/// A block of a page.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PageBlock)]
struct BlockView {
    /// The place in reading order, from 1.
    number: i32,
    /// The rectangle `[x, y, width, height]` as fractions of the picture, from the top left corner.
    #[serde(rename = "box")]
    #[schema(value_type = Vec<f64>)]
    area: PageBox,
    /// What became of the block until now.
    outcome: BlockOutcome,
    /// Why the block was no notice, waited, had doubtful fields or was refused when the page was read.
    #[schema(required)]
    reason: Option<String>,
    /// Why the notice is in the review queue now. `null`: it is not.
    #[schema(required)]
    review_reason: Option<ReviewReason>,
    /// The key of the notice.
    #[schema(required)]
    notice_key: Option<String>,
    /// The title of the notice.
    #[schema(required)]
    title: Option<String>,
    /// The tender to which the notice belongs now.
    #[schema(required)]
    tender_id: Option<Uuid>,
    /// The id of the decided box at this place.
    #[schema(required)]
    mark: Option<Uuid>,
}

/// Show a newspaper page
#[utoipa::path(get, path = "/operate/pages/{id}", tag = "operate", operation_id = "newspaperPage",
params(("id" = Uuid, Path, description = "The page's id")), security(("operator" = []), ("session" = [])), responses(
    (status = 200, description = "The page with its blocks", body = Envelope<PageDetails>),
    (status = 401, description = "No valid operator token or session", body = FailureBody),
    (status = 403, description = "The caller is neither a reviewer nor an administrator", body = FailureBody),
    (status = 404, description = "There is no such page", body = FailureBody),
    (status = 422, description = "The id is not a UUID", body = FailureBody),
))]
pub async fn read_page(
    State(state): State<AppState>,
    _: Reviewer,
    PathId(id): PathId,
) -> ApiResult<PageDetails> {
    let now = state.clock.now();
    let page = newspaper_pages::find(&state.db, id, now).await?.ok_or(ServiceError::NotFound("Page"))?;
    let picture_url = page
        .picture
        .as_ref()
        .and_then(|picture| page_picture::picture_url(&state.signing_key, id, picture, Moment::new(now)));
    let blocks = newspaper_pages::blocks::of_page(&state.db, id).await?;
    let marks = page_boxes::of_page(&state.db, id).await?;
    let blocks = blocks.into_iter().map(|block| BlockView::of(block, &marks)).collect();
    let boxes = marks.into_iter().map(MarkView::from).collect();
    let Neighbours { previous, next } =
        newspaper_pages::neighbours(&state.db, page.file_id, page.number).await?;
    Ok(Envelope::of(PageDetails { page: page.into(), picture_url, previous, next, blocks, boxes }))
}

impl BlockView {
    fn of(block: PageBlock, marks: &[PageMark]) -> Self {
        // A box that was drawn over a dismissed one has a block of its own.
        let mark = marks.iter().find(|mark| mark.decided.area == block.area);
        let mark = mark.or_else(|| marks.iter().find(|mark| is_same_box(mark.decided.area, block.area)));
        Self {
            mark: mark.map(|mark| mark.id),
            number: block.number,
            area: block.area,
            outcome: block.outcome,
            reason: block.reason,
            review_reason: block.review_reason,
            notice_key: block.notice_key,
            title: block.title,
            tender_id: block.tender_id,
        }
    }
}
