//! Compares the portal with a simple model under random changes and process kills. Each address
//! receives what the model says, once. Repeated deliveries share one Message-ID.

mod model;
mod world;

use crate::support::{killable_server::Life, smtp::Behaviour};
use model::{Model, Sends, Step, WORDS};
use proptest::{collection::vec, prelude::*, sample::Index, test_runner::Config};
use world::World;

/// An action on the portal.
#[derive(Debug, Clone)]
enum Act {
    /// Somebody changes something.
    Step(Step),
    /// Processes run and are killed, until one has nothing left to do.
    Work(Vec<Life>),
    /// This many minutes pass without a process. If a message becomes due, processes run
    /// afterwards.
    Pass(i64, Vec<Life>),
}

fn words() -> impl Strategy<Value = Vec<&'static str>> {
    prop::sample::subsequence(&WORDS[..], 1..=2)
}

fn sends() -> impl Strategy<Value = Sends> {
    prop_oneof![3 => Just(Sends::AtOnce), 2 => Just(Sends::Daily), 1 => Just(Sends::Weekly)]
}

fn step() -> impl Strategy<Value = Step> {
    let some = any::<Index>;
    prop_oneof![
        4 => (0..2_usize, words(), sends()).prop_map(|(reader, asks, sends)| Step::NewAlert { reader, asks, sends }),
        2 => (some(), words(), sends(), prop::bool::weighted(0.8))
            .prop_map(|(alert, asks, sends, mails)| Step::WriteAlert { alert, asks, sends, mails }),
        1 => some().prop_map(Step::SwitchAlert),
        1 => some().prop_map(Step::DeleteAlert),
        6 => words().prop_map(Step::Publish),
        2 => (some(), words()).prop_map(|(tender, says)| Step::Reword { tender, says }),
        3 => (some(), 2091..2095_i16).prop_map(|(tender, year)| Step::Postpone { tender, year }),
        2 => some().prop_map(Step::Cancel),
        1 => (0..2_usize).prop_map(Step::Lapse),
        2 => (0..2_usize, 1..20_i64).prop_map(|(reader, days)| Step::Subscribe { reader, days }),
        1 => (0..2_usize).prop_map(Step::Move),
    ]
}

fn life() -> impl Strategy<Value = Life> {
    let smtp = prop_oneof![
        3 => Just(Behaviour::Accept),
        1 => Just(Behaviour::Hold),
        1 => Just(Behaviour::HangUp),
        1 => Just(Behaviour::Greylist),
        1 => Just(Behaviour::Closing),
    ];
    (2..600_u64, smtp).prop_map(|(milliseconds, smtp)| Life { milliseconds, smtp })
}

fn act() -> impl Strategy<Value = Act> {
    let lives = || vec(life(), 0..4);
    prop_oneof![
        8 => step().prop_map(Act::Step),
        2 => lives().prop_map(Act::Work),
        1 => (1..3000_i64, lives()).prop_map(|(minutes, lives)| Act::Pass(minutes, lives)),
    ]
}

/// Alerts for each word, so that most tenders have readers.
fn beginning() -> Vec<Act> {
    let alert = |reader, word, sends| Act::Step(Step::NewAlert { reader, asks: vec![word], sends });
    vec![
        alert(0, WORDS[0], Sends::AtOnce),
        alert(0, WORDS[1], Sends::Daily),
        alert(1, WORDS[0], Sends::Daily),
        alert(1, WORDS[2], Sends::Weekly),
    ]
}

async fn work(world: &World, model: &mut Model, lives: &[Life]) {
    world.killable_server.live(lives).await;
    model.work();
}

/// It is undefined whether a due message is sealed before or after pending changes are matched. The
/// test therefore never lets both wait.
async fn pass(world: &World, model: &mut Model, minutes: i64, lives: &[Life]) {
    if model.has_news() && model.is_due(minutes) {
        work(world, model, lives).await;
    }
    model.now += minutes;
    world.pass(minutes);
    if model.is_due(0) {
        work(world, model, lives).await;
    }
}

async fn play(acts: Vec<Act>) -> Result<(), TestCaseError> {
    let mut world = World::new().await;
    let mut model = Model::new(world.minute());
    for act in beginning().into_iter().chain(acts) {
        match act {
            Act::Step(step) => {
                let sends_at_once = matches!(&step, Step::WriteAlert { sends: Sends::AtOnce, .. });
                if sends_at_once && model.has_news() {
                    work(&world, &mut model, &[]).await;
                }
                if let Some(done) = model.step(step) {
                    world.carry_out(&done, &model).await;
                }
                if model.is_due(0) {
                    work(&world, &mut model, &[]).await;
                }
            }
            Act::Work(lives) => work(&world, &mut model, &lives).await,
            Act::Pass(minutes, lives) => pass(&world, &mut model, minutes, &lives).await,
        }
    }
    work(&world, &mut model, &[]).await;
    // Collected digests become due.
    pass(&world, &mut model, 8 * 24 * 60, &[]).await;
    prop_assert_eq!(world.told().map_err(TestCaseError::fail)?, model.told());
    Ok(())
}

proptest! {
    #![proptest_config(Config { cases: 10, max_shrink_iters: 60, failure_persistence: None, ..Config::default() })]

    #[test]
    fn mails_match_the_model_despite_kills(acts in vec(act(), 10..50)) {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        runtime.block_on(play(acts))?;
    }
}
