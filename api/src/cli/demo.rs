//! Demonstration data: eight accounts with a public password, one alert, one company profile, and
//! three expected newspapers. A server with `--demo` creates the missing accounts and newspapers at
//! startup, and accepts requests only from its own machine. `fixtures/demonstration/fill.js` then fills
//! the accounts over the public API. A server without `--demo` refuses to start while the accounts
//! exist. `api admin demo remove` deletes them and the newspapers.

use crate::{
    app::state::AppState,
    domain::{
        alert::{EmailSettings, NewAlert},
        coverage::{DEMO_PAPERS, ExpectedPaper, PaperSchedule, Weekday, paper_key},
        plan::PlanName,
        user::{NewUser, Role},
    },
    storage::{self, alerts, changes, companies, expected_papers, subscriptions, users},
};
use anyhow::Context;
use jiff::{SignedDuration, ToSpan, civil::time};
use tender_model::{
    alert::{AlertQuery, Keyword},
    eligibility::{
        CidaRegistration, Company, ContractsActRegistration, DocumentInHand, HeldDocument, YearlyTurnover,
    },
    vocabulary::{Amount, Day, Language, MatchType, Moment},
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
    /// Whether this account gets the alert and the company profile.
    has_alert: bool,
}

const ACCOUNTS: [Account; 8] = [
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
        email: "procurement@demo.test",
        first_name: "Procurement",
        last_name: "Demo",
        company: "Demo Hospital Procurement Unit",
        role: Role::Supplier,
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
        email: "colleague@demo.test",
        first_name: "Colleague",
        last_name: "Demo",
        company: "Demo Holdings",
        role: Role::Supplier,
        plan: None,
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

/// The first day of the expected newspapers is this many days before they are added.
const PAPER_DAYS: i64 = 2;

/// Adds the missing newspapers: the one that the fixture pages come from, and two others.
pub async fn create_papers(state: &AppState) -> anyhow::Result<()> {
    let now = state.clock.now();
    let active_from = Moment::new(now).day().saturating_sub(PAPER_DAYS.days());
    let [daily, sunday, puwath] = DEMO_PAPERS;
    let (dawn, morning) = (time(6, 30, 0, 0), time(9, 0, 0, 0));
    let weekdays = Weekday::ALL.into_iter().filter(|day| *day != Weekday::Sunday).collect();
    for (id, name, weekdays, due_time, prints_on_poya) in [
        (daily, "Daily Lanka", weekdays, dawn, true),
        (sunday, "Sunday Lanka", vec![Weekday::Sunday], morning, true),
        (puwath, "Lanka Puwath", Weekday::ALL.to_vec(), morning, false),
    ] {
        let schedule = PaperSchedule {
            name: name.to_owned(),
            spellings: Vec::new(),
            weekdays,
            due_time,
            min_pages: 1,
            prints_on_poya,
            prints_on_holidays: true,
            active_from,
        };
        let paper = ExpectedPaper { id, schedule, paused_from: None, expected_since: now, version: 1 };
        let mut tx = storage::begin(&state.db).await?;
        expected_papers::lock_all(&mut tx).await?;
        if expected_papers::find(&mut *tx, id).await?.is_some() {
            continue;
        }
        expected_papers::upsert(&mut tx, &paper).await?;
        let spelling = paper_key(name).map(|key| (key, name.to_owned()));
        // If the name counts for another newspaper, nothing is added.
        if expected_papers::set_spellings(&mut tx, id, spelling.as_slice()).await?.is_none() {
            tx.commit().await?;
        }
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
    let mut tx = storage::begin(&state.db).await?;
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
    let company = demo_company(Moment::new(now).day());
    companies::store(&mut *tx, user_id, &company, 0, (user_id, now)).await?;
    let alert_id: Uuid = state.random.id(&state.clock);
    let revision = alerts::insert(&mut tx, alert_id, user_id, &demo_alert(), now).await?;
    changes::commit(tx, &[revision], &state.clock, &state.random).await?;
    Ok(())
}

/// The company profile of the Professional account. Some registrations end next year.
fn demo_company(today: Day) -> Company {
    let year = today.year();
    let next = today.saturating_add(400.days());
    let registration = |grade: &str, field: &str| CidaRegistration {
        grade: grade.into(),
        field: field.into(),
        expires: Some(next),
    };
    let document =
        |kind, days: i64| HeldDocument { kind, note: None, expires: Some(today.saturating_add(days.days())) };
    let rupees = |amount: f64| Amount::new(amount).ok();
    Company {
        cida: vec![registration("C5", "Building construction"), registration("C6", "Highway construction")],
        contracts_act: vec![ContractsActRegistration {
            sector: "Works".into(),
            category: None,
            expires: Some(next),
        }],
        turnover: [(year - 1, 84e6), (year - 2, 61e6)]
            .into_iter()
            .filter_map(|(year, amount)| Some(YearlyTurnover { year, amount: rupees(amount)? }))
            .collect(),
        experience_years: Some(12),
        bond_limit: rupees(5e6),
        documents: vec![
            document(DocumentInHand::TaxClearance, 45),
            document(DocumentInHand::BankLetter, 120),
            HeldDocument { kind: DocumentInHand::BusinessRegistration, note: None, expires: None },
        ],
        ..Company::default()
    }
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
                keyword("storeyed", MatchType::Exact),
            ],
            ..AlertQuery::default()
        },
        email: EmailSettings::default(),
        channels: Vec::new(),
    }
}
