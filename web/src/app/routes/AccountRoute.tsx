// The account page with the user's plan, which belongs to another feature.

import { AccountPage } from "@/features/account/settings/AccountPage.tsx";
import { OwnInvoices, OwnPlan } from "@/features/plans/OwnPlan.tsx";

export function Component() {
  return (
    <AccountPage
      plan={(user) => (
        <>
          <OwnPlan plan={user.subscription.plan} />
          <OwnInvoices />
        </>
      )}
    />
  );
}
