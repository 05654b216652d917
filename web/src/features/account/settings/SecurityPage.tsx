// How the user signs in, and where.

import { AccountSection } from "./AccountSection.tsx";
import { ConnectGoogle } from "./ConnectGoogle.tsx";
import { Password } from "./Password.tsx";
import { SecondFactors } from "./SecondFactors.tsx";
import { Sessions } from "./Sessions.tsx";

export function Component() {
  return (
    <AccountSection section="security">
      {(user) => (
        <>
          <Password user={user} />
          <SecondFactors user={user} />
          <ConnectGoogle user={user} />
          <Sessions />
        </>
      )}
    </AccountSection>
  );
}
