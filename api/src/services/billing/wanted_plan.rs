//! The plan that a user wants to subscribe to.

use crate::domain::{cycle::Cycle, money::Cents, plan::PlanOffer};

/// A plan that somebody wishes for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WantedPlan {
    /// As it is offered.
    pub offer: PlanOffer,
    /// How often it is to be paid for.
    pub cycle: Cycle,
}

impl WantedPlan {
    /// What a period of it costs.
    #[must_use]
    pub fn price(&self) -> Cents {
        Cents::of_rupees(match self.cycle {
            Cycle::Monthly => self.offer.price_monthly,
            Cycle::Yearly => self.offer.price_yearly,
        })
    }
}
