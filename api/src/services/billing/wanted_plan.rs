//! The plan that a user wants to subscribe to.

use crate::domain::{cycle::Cycle, money::Cents, plan::PlanOffer};

/// A plan and the billing cycle that a user wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WantedPlan {
    /// The plan as offered.
    pub offer: PlanOffer,
    /// The billing cycle.
    pub cycle: Cycle,
}

impl WantedPlan {
    /// The price of a period.
    #[must_use]
    pub fn price(&self) -> Cents {
        Cents::of_rupees(match self.cycle {
            Cycle::Monthly => self.offer.price_monthly,
            Cycle::Yearly => self.offer.price_yearly,
        })
    }
}
