//! The plan that a user wants to subscribe to.

use crate::domain::{billing_cycle::BillingCycle, money::Cents, plan::PlanOffer};

/// A plan and its billing cycle, as a user wants them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WantedPlan {
    /// The plan as offered.
    pub offer: PlanOffer,
    /// The billing cycle.
    pub cycle: BillingCycle,
}

impl WantedPlan {
    /// The price of a period.
    #[must_use]
    pub fn price(&self) -> Cents {
        Cents::of_rupees(match self.cycle {
            BillingCycle::Monthly => self.offer.price_monthly,
            BillingCycle::Yearly => self.offer.price_yearly,
        })
    }
}
