//! What the decision of a reviewer teaches: how accurately the notice was read, and which names the
//! readers do not know.

use crate::{
    app::context::Context,
    domain::{
        error::ServiceError,
        field_check::{self, FieldCheck},
        gazetteer::{NamedThing, NewName, is_built_in, name_problem},
        notice::NoticeStanding,
        review::{ReviewDecision, ReviewDecisionKind},
    },
    storage::{field_checks, gazetteer},
};
use sqlx::PgConnection;
use tender_model::{deduplication::Doubt, tender::Tender};

/// Stores what a decision found out about the fields, and proposes the names that it entered.
pub(super) async fn from_decision(
    context: &Context,
    tx: &mut PgConnection,
    decision: &ReviewDecision,
) -> Result<(), ServiceError> {
    field_checks::insert(tx, decision.id, &checks(decision)).await?;
    if is_checked(decision) {
        for name in new_names(&decision.before.record, &decision.after.record) {
            let id = context.random.id(&context.clock);
            let id = gazetteer::propose(&mut *tx, id, &name, decision.at).await?;
            gazetteer::add_use(&mut *tx, id, decision.id).await?;
        }
    }
    Ok(())
}

/// Forgets the names that an undone decision entered. Its checks of fields are not counted any more.
pub(super) async fn forget(tx: &mut PgConnection, decision: &ReviewDecision) -> Result<(), ServiceError> {
    Ok(gazetteer::remove_uses(tx, decision.id).await?)
}

/// Whether the reviewer has checked all fields.
const fn is_checked(decision: &ReviewDecision) -> bool {
    match decision.kind {
        ReviewDecisionKind::Accept
        | ReviewDecisionKind::Tender
        | ReviewDecisionKind::Source
        | ReviewDecisionKind::Correction => true,
        ReviewDecisionKind::Reject | ReviewDecisionKind::Split => false,
    }
}

/// How the fields were read. The fields of a notice that a person has checked or cut out were not
/// read by the readers alone.
fn checks(decision: &ReviewDecision) -> Vec<FieldCheck> {
    let ReviewDecision { before, after, .. } = decision;
    let is_part = matches!(before.standing, NoticeStanding::Review { doubt: Doubt::Part, .. });
    if before.reviewed_at.is_some() || is_part {
        Vec::new()
    } else if is_checked(decision) {
        field_check::compare(&before.record, &after.record)
    } else if decision.is_no_notice {
        field_check::no_notice(&before.record)
    } else {
        Vec::new()
    }
}

/// The names of the organisation and the town that the readers did not know: the reviewer changed
/// them, or they were doubtful.
fn new_names(read: &Tender, checked: &Tender) -> Vec<NewName> {
    let is_new = |path: &str, old: &str, new: &str| old.trim() != new.trim() || read.is_uncertain(path);
    let mut names = Vec::new();
    let (old, new) = (&read.organization, &checked.organization);
    if is_new("organization.name", &old.name, &new.name) {
        let thing = NamedThing::Organization { organization_type: new.kind };
        names.push(NewName { name: new.name.trim().to_owned(), spellings: Vec::new(), thing });
    }
    let city = |tender: &Tender| tender.location.city.clone().unwrap_or_default();
    if let Some(district) = checked.location.district
        && is_new("location.city", &city(read), &city(checked))
    {
        let thing = NamedThing::Town { district };
        names.push(NewName { name: city(checked).trim().to_owned(), spellings: Vec::new(), thing });
    }
    names.retain(|name| name_problem(&name.name, name.thing).is_none() && !is_built_in(name));
    names
}
