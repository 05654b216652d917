//! Compares the portal with a simple model under random changes and process kills. Each address
//! must receive exactly the mails that the model predicts. A mail that is sent again after a kill
//! has the same Message-ID and counts once.

mod model;
mod world;

use crate::support::{killable_server::KilledProcess, smtp::Behaviour};
use model::{Frequency, Model, Step, WORDS};
use proptest::{collection::vec, prelude::*, sample::Index, test_runner::Config};
use world::World;

/// One action of a test run.
#[derive(Debug, Clone)]
enum Action {
    /// A user or publisher makes a change.
    Step(Step),
    /// These processes run and are killed. Then another process runs until nothing is due.
    Run(Vec<KilledProcess>),
    /// The clock advances by this many minutes while no process runs. If a message becomes due,
    /// these processes then run as for [`Action::Run`].
    Advance(i64, Vec<KilledProcess>),
    /// From now on, processes divide the alerts into this number of shards.
    Divide(u32),
}

fn words() -> impl Strategy<Value = Vec<&'static str>> {
    prop::sample::subsequence(&WORDS[..], 1..=2)
}

fn frequency() -> impl Strategy<Value = Frequency> {
    prop_oneof![3 => Just(Frequency::AtOnce), 2 => Just(Frequency::Daily), 1 => Just(Frequency::Weekly)]
}

fn step() -> impl Strategy<Value = Step> {
    let target = any::<Index>;
    prop_oneof![
        4 => (0..2_usize, words(), frequency()).prop_map(|(subscriber, keywords, frequency)| Step::NewAlert { subscriber, keywords, frequency }),
        2 => (target(), words(), frequency(), prop::bool::weighted(0.8))
            .prop_map(|(alert, keywords, frequency, mail_enabled)| Step::UpdateAlert { alert, keywords, frequency, mail_enabled }),
        1 => target().prop_map(Step::ToggleAlert),
        1 => target().prop_map(Step::DeleteAlert),
        6 => words().prop_map(Step::Publish),
        2 => (target(), words()).prop_map(|(tender, words)| Step::EditText { tender, words }),
        3 => (target(), 2091..2095_i16).prop_map(|(tender, year)| Step::Postpone { tender, year }),
        2 => target().prop_map(Step::ToggleCancellation),
        1 => (0..2_usize).prop_map(Step::ExpireSubscription),
        2 => (0..2_usize, 1..20_i64).prop_map(|(subscriber, days)| Step::Subscribe { subscriber, days }),
        1 => (0..2_usize).prop_map(Step::ChangeAddress),
    ]
}

fn killed_process() -> impl Strategy<Value = KilledProcess> {
    let smtp = prop_oneof![
        3 => Just(Behaviour::Accept),
        1 => Just(Behaviour::Hold),
        1 => Just(Behaviour::HangUp),
        1 => Just(Behaviour::Greylist),
        1 => Just(Behaviour::Closing),
    ];
    (2..600_u64, smtp).prop_map(|(milliseconds, smtp)| KilledProcess { milliseconds, smtp })
}

fn action() -> impl Strategy<Value = Action> {
    let killed = || vec(killed_process(), 0..4);
    prop_oneof![
        8 => step().prop_map(Action::Step),
        2 => killed().prop_map(Action::Run),
        1 => (1..3000_i64, killed()).prop_map(|(minutes, killed)| Action::Advance(minutes, killed)),
    ]
}

fn action_or_division() -> impl Strategy<Value = Action> {
    prop_oneof![6 => action(), 1 => (1..5_u32).prop_map(Action::Divide)]
}

/// Returns actions that create alerts for each word, so that most tenders match.
fn initial_actions() -> Vec<Action> {
    let alert = |subscriber, word, frequency| {
        Action::Step(Step::NewAlert { subscriber, keywords: vec![word], frequency })
    };
    vec![
        alert(0, WORDS[0], Frequency::AtOnce),
        alert(0, WORDS[1], Frequency::Daily),
        alert(1, WORDS[0], Frequency::Daily),
        alert(1, WORDS[2], Frequency::Weekly),
    ]
}

async fn run_processes(world: &World, model: &mut Model, killed: &[KilledProcess]) {
    world.killable_server.run_until_done(killed).await;
    model.match_and_mail();
}

/// Advances the clock. The portal may seal a due message before or after it matches pending
/// changes. The processes therefore match pending changes before the clock makes a message due.
async fn advance(world: &World, model: &mut Model, minutes: i64, killed: &[KilledProcess]) {
    if model.has_unmatched_changes() && model.is_due(minutes) {
        run_processes(world, model, killed).await;
    }
    model.now += minutes;
    world.advance(minutes);
    if model.is_due(0) {
        run_processes(world, model, killed).await;
    }
}

async fn compare_with_model(actions: Vec<Action>) -> Result<(), TestCaseError> {
    let mut world = World::new().await;
    let mut model = Model::new(world.minute());
    for action in initial_actions().into_iter().chain(actions) {
        match action {
            Action::Step(step) => {
                let is_immediate = matches!(&step, Step::UpdateAlert { frequency: Frequency::AtOnce, .. });
                if is_immediate && model.has_unmatched_changes() {
                    run_processes(&world, &mut model, &[]).await;
                }
                if let Some(applied) = model.apply_step(step) {
                    world.apply(&applied, &model).await;
                }
                if model.is_due(0) {
                    run_processes(&world, &mut model, &[]).await;
                }
            }
            Action::Run(killed) => run_processes(&world, &mut model, &killed).await,
            Action::Advance(minutes, killed) => advance(&world, &mut model, minutes, &killed).await,
            Action::Divide(count) => world.killable_server.set_shards(count),
        }
    }
    run_processes(&world, &mut model, &[]).await;
    // After eight days, all collected digests are due.
    advance(&world, &mut model, 8 * 24 * 60, &[]).await;
    prop_assert_eq!(world.mailed().map_err(TestCaseError::fail)?, model.mailed());
    Ok(())
}

proptest! {
    #![proptest_config(Config { cases: 10, max_shrink_iters: 60, failure_persistence: None, ..Config::default() })]

    #[test]
    fn mails_match_the_model_despite_kills(actions in vec(action(), 10..50)) {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        runtime.block_on(compare_with_model(actions))?;
    }
}

proptest! {
    #![proptest_config(Config { cases: 6, max_shrink_iters: 60, failure_persistence: None, ..Config::default() })]

    #[test]
    fn mails_match_the_model_with_any_number_of_shards(actions in vec(action_or_division(), 10..50)) {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        runtime.block_on(compare_with_model(actions))?;
    }
}
