//! Demonstration data: six accounts with a public password, and one alert. A server with `--demo`
//! creates the missing accounts at startup, and accepts requests only from its own machine. A
//! server without `--demo` refuses to start while the accounts exist. `api admin demo remove`
//! deletes them.

use crate::{
    app::state::AppState,
    domain::{
        alert::{EmailSettings, NewAlert},
        plan::PlanName,
        user::{NewUser, Role},
    },
    storage::{alerts, changes, subscriptions, users},
};
use anyhow::Context;
use jiff::SignedDuration;
use tender_model::{
    alert::{AlertQuery, Keyword},
    vocabulary::{Language, MatchType},
};
use uuid::Uuid;

/// The password of every demonstration account.
pub const PASSWORD: &str = "demo-portal";

/// A demonstration account.
struct Account {
    email: &'static str,
    first_name: &'static str,
    last_name: &'static str,
    company: &'static str,
    role: Role,
    plan: Option<PlanName>,
    /// Whether this account gets the alert.
    has_alert: bool,
}

const ACCOUNTS: [Account; 6] = [
    Account {
        email: "buyer@demo.test",
        first_name: "Buyer",
        last_name: "Demo",
        company: "Demo Procurement Unit",
        role: Role::Buyer,
        plan: None,
        has_alert: false,
    },
    Account {
        email: "supplier@demo.test",
        first_name: "Supplier",
        last_name: "Demo",
        company: "Demo Supplies",
        role: Role::Supplier,
        plan: None,
        has_alert: false,
    },
    Account {
        email: "professional@demo.test",
        first_name: "Professional",
        last_name: "Demo",
        company: "Demo Builders",
        role: Role::Supplier,
        plan: Some(PlanName::Professional),
        has_alert: true,
    },
    Account {
        email: "enterprise@demo.test",
        first_name: "Enterprise",
        last_name: "Demo",
        company: "Demo Holdings",
        role: Role::Supplier,
        plan: Some(PlanName::Enterprise),
        has_alert: false,
    },
    Account {
        email: "reviewer@demo.test",
        first_name: "Reviewer",
        last_name: "Demo",
        company: "Serendib Tenders",
        role: Role::Reviewer,
        plan: None,
        has_alert: false,
    },
    Account {
        email: "admin@demo.test",
        first_name: "Admin",
        last_name: "Demo",
        company: "Serendib Tenders",
        role: Role::Admin,
        plan: None,
        has_alert: false,
    },
];

/// The length of the demonstration accounts' subscriptions, which are never renewed.
const SUBSCRIPTION_LENGTH: SignedDuration = SignedDuration::from_hours(24 * 3650);

/// Creates the missing accounts, each in one transaction. The alert is created with its account.
pub async fn create_accounts(state: &AppState) -> anyhow::Result<()> {
    let password_hash = state.passwords.hash(PASSWORD.to_owned()).await.context("hashing the password")?;
    for account in &ACCOUNTS {
        create_account(state, account, &password_hash)
            .await
            .with_context(|| format!("creating {}", account.email))?;
    }
    Ok(())
}

async fn create_account(state: &AppState, account: &Account, password_hash: &str) -> anyhow::Result<()> {
    let now = state.clock.now();
    let user_id = state.random.id(&state.clock);
    let user = NewUser {
        email: account.email,
        password_hash: Some(password_hash),
        first_name: account.first_name,
        last_name: account.last_name,
        phone: None,
        company: Some(account.company),
        role: account.role,
        language: Language::English,
        email_verified: true,
    };
    let mut tx = state.db.begin().await?;
    if !users::insert(&mut tx, user_id, &user, now).await? {
        return Ok(());
    }
    users::mark_demo(&mut tx, user_id).await?;
    let Some(plan) = account.plan else { return Ok(tx.commit().await?) };
    let end = now.saturating_add(SUBSCRIPTION_LENGTH)?;
    subscriptions::insert_given(&mut tx, state.random.id(&state.clock), user_id, plan, now, end).await?;
    if !account.has_alert {
        return Ok(tx.commit().await?);
    }
    let alert_id: Uuid = state.random.id(&state.clock);
    let revision = alerts::insert(&mut tx, alert_id, user_id, &demo_alert(), now).await?;
    changes::commit(tx, &[revision], &state.clock, &state.random).await?;
    Ok(())
}

/// The alert of the Professional account. It matches several open tenders of the fixture
/// newspapers.
fn demo_alert() -> NewAlert {
    let keyword = |term: &str, match_type| Keyword { term: term.to_owned(), match_type };
    NewAlert {
        name: "Building and rehabilitation works".to_owned(),
        description: Some("Works we can bid for with our own crew".to_owned()),
        query: AlertQuery {
            keywords: vec![
                keyword("construction of", MatchType::Exact),
                keyword("rehabilitat", MatchType::StartsWith),
                keyword("building", MatchType::Contains),
            ],
            ..AlertQuery::default()
        },
        email: EmailSettings::default(),
        channels: Vec::new(),
    }
}
