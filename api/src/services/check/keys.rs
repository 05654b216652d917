//! Whether the signing keys are those of the portal's processes.

use super::{
    problem::{CheckReport, ProblemKind},
    target::CheckTarget,
};
use crate::app::key_agreement::{self, KeyAgreement};

/// Compares the signing keys with those that the processes have stored.
pub(super) async fn check(target: &CheckTarget<'_>, report: &mut CheckReport) -> anyhow::Result<()> {
    let Some(keys) = target.keys else { return Ok(()) };
    let own = keys.id();
    match key_agreement::agreement(target.db, keys).await? {
        KeyAgreement::Agreed => {}
        KeyAgreement::Behind { stored } => report.information.push(format!(
            "the signing key {own} is an earlier key of the portal, whose current key is {stored}"
        )),
        KeyAgreement::Different { stored } => {
            let detail = format!("the processes of the portal have the signing key {stored}");
            report.add(ProblemKind::SigningKey, format!("the signing key {own}"), detail);
        }
    }
    report.checked.push(("signing keys", 1));
    Ok(())
}
