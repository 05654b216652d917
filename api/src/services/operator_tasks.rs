//! What waits for the people who work for the portal.

use crate::{
    app::context::Context,
    domain::{
        error::ServiceError,
        operator_tasks::{OperatorTask, WaitingWork},
        user::Role,
    },
    storage::operator_tasks,
};
use strum::IntoEnumIterator;

/// How much of each kind of work waits that a role may do, in the order of [`OperatorTask`]. `gaps` is
/// the number of newspapers that are missing today.
pub async fn waiting(context: &Context, role: Role, gaps: usize) -> Result<Vec<WaitingWork>, ServiceError> {
    let mut found = operator_tasks::waiting(&context.db, context.clock.now()).await?;
    found.push(WaitingWork { task: OperatorTask::Gaps, waiting: gaps as i64, oldest_since: None });
    let is_open = |task: &OperatorTask| role == Role::Admin || task.is_for_reviewers();
    let work_of = |task| found.iter().find(|work| work.task == task).copied();
    Ok(OperatorTask::iter().filter(is_open).filter_map(work_of).collect())
}
