// The export of personal data, and the deletion of the account.

import { AccountSection } from "./AccountSection.tsx";
import { PersonalData } from "./PersonalData.tsx";

export function Component() {
  return (
    <AccountSection section="data">
      {(user) => (
        <>
          <PersonalData user={user} />
        </>
      )}
    </AccountSection>
  );
}
