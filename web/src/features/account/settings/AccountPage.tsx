// The first section of the account: the plan, the profile and the address.

import type { ReactNode } from "react";
import type { User } from "@/api/types.ts";
import { AccountSection } from "./AccountSection.tsx";
import { ChangeEmail } from "./ChangeEmail.tsx";
import { ProfileForm } from "./ProfileForm.tsx";

/** `plan` renders the parts about the user's plan, which belong to another feature. */
export function AccountPage({ plan }: { plan: (user: User) => ReactNode }) {
  return (
    <AccountSection section="profile">
      {(user) => (
        <>
          {plan(user)}
          <ProfileForm user={user} />
          <ChangeEmail user={user} />
        </>
      )}
    </AccountSection>
  );
}
