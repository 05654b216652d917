// Which mails the user gets, and the other channels of alerts.

import { AccountSection } from "./AccountSection.tsx";
import { Channels } from "./Channels.tsx";
import { MailPreferences } from "./MailPreferences.tsx";

export function Component() {
  return (
    <AccountSection section="notifications">
      {(user) => (
        <>
          <MailPreferences user={user} />
          {user.subscription.features.directAlerts && <Channels />}
        </>
      )}
    </AccountSection>
  );
}
