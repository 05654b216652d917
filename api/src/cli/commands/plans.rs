//! `api admin plan`: prices and limits of plans.

use super::record;
use crate::{
    base::clock::Clock,
    domain::{
        audit::{AuditAction, AuditSubject},
        plan::{PlanChange, PlanName},
    },
    storage::{self, plans},
};
use anyhow::bail;
use clap::{
    ArgGroup, Args, Subcommand,
    builder::{PossibleValuesParser, TypedValueParser},
};
use sqlx::PgPool;
use strum::VariantNames;

/// The subcommands of `api admin plan`.
#[derive(Debug, Subcommand)]
pub enum PlanCommand {
    /// List all plans with prices and limits
    List,
    /// Change a plan; existing subscribers keep the agreed price
    Set(Box<PlanChangeArguments>),
}

/// Returns the parser of a plan's name.
fn plan_name_parser() -> impl TypedValueParser<Value = PlanName> {
    PossibleValuesParser::new(PlanName::VARIANTS).try_map(|name| name.parse::<PlanName>())
}

/// The changes to a plan, at least one. Absent values stay unchanged.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("changes").required(true).multiple(true).args([
    "price_monthly", "price_yearly", "views", "uploads", "saved_searches", "open_bids",
]))]
pub struct PlanChangeArguments {
    /// The plan
    #[arg(value_parser = plan_name_parser())]
    pub name: PlanName,
    /// Rupees per month
    #[arg(long, value_name = "RUPEES", value_parser = clap::value_parser!(i32).range(0..=10_000_000))]
    pub price_monthly: Option<i32>,
    /// Rupees per year
    #[arg(long, value_name = "RUPEES", value_parser = clap::value_parser!(i32).range(0..=10_000_000))]
    pub price_yearly: Option<i32>,
    /// Tenders that may be opened per month; -1 is unlimited
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(i32).range(-1..))]
    pub views: Option<i32>,
    /// Tenders that may be published per month; -1 is unlimited
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(i32).range(-1..))]
    pub uploads: Option<i32>,
    /// Searches that may be saved; -1 is unlimited
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(i32).range(-1..))]
    pub saved_searches: Option<i32>,
    /// Bids that may be open on a board at a time; -1 is unlimited
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(i32).range(-1..))]
    pub open_bids: Option<i32>,
}

impl From<PlanChangeArguments> for PlanChange {
    fn from(arguments: PlanChangeArguments) -> Self {
        Self {
            name: arguments.name,
            price_monthly: arguments.price_monthly,
            price_yearly: arguments.price_yearly,
            views: arguments.views,
            uploads: arguments.uploads,
            saved_searches: arguments.saved_searches,
            open_bids: arguments.open_bids,
        }
    }
}

/// Changes the price and the limits of a plan. Refuses a price for the free plan and a zero price
/// for a paid plan.
pub async fn set_plan(db: &PgPool, change: &PlanChange, clock: &Clock) -> anyhow::Result<()> {
    let is_free = change.name == PlanName::Free;
    if is_free && (change.price_monthly.unwrap_or(0) > 0 || change.price_yearly.unwrap_or(0) > 0) {
        bail!("the free plan must have the price 0");
    }
    if !is_free && (change.price_monthly == Some(0) || change.price_yearly == Some(0)) {
        bail!("a paid plan must have a price above 0");
    }
    let mut tx = storage::begin(db).await?;
    let before = plans::limits(&mut *tx, change.name).await?;
    if !plans::change(&mut *tx, change, clock.now()).await? {
        bail!("there is no plan called {}; `api admin plan list` lists all plans", change.name);
    }
    let after = plans::limits(&mut *tx, change.name).await?;
    let entry = (AuditAction::ChangePlan, AuditSubject::Plan, change.name.as_str());
    record(&mut *tx, entry, (before, after), clock.now()).await?;
    tx.commit().await?;
    Ok(())
}
