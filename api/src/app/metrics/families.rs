//! Families of metrics: a counter or a histogram for each combination of labels.

use prometheus_client::{
    metrics::{counter::Counter, family::Family, histogram::Histogram},
    registry::{Metric, Registry},
};

/// Labels with values from fixed sets.
pub(super) type Labels<const N: usize> = [(&'static str, &'static str); N];
/// A counter for each combination of labels.
pub(super) type Counters<const N: usize> = Family<Labels<N>, Counter>;
/// A histogram for each combination of labels.
pub(super) type Histograms<L> = Family<L, Histogram, fn() -> Histogram>;

/// Registers a metric and returns it.
pub(super) fn registered<M: Metric + Clone>(registry: &mut Registry, name: &str, help: &str, metric: M) -> M {
    registry.register(name, help, metric.clone());
    metric
}

/// Creates a counter for each value of one label, which begins with zero.
pub(super) fn counters_of(
    registry: &mut Registry,
    name: &str,
    help: &str,
    label: &'static str,
    values: impl Iterator<Item = &'static str>,
) -> Counters<1> {
    let counters: Counters<1> = registered(registry, name, help, Family::default());
    for value in values {
        drop(counters.get_or_create(&[(label, value)]));
    }
    counters
}
