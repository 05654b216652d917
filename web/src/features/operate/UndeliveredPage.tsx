// The page that lists undelivered messages.

import { MailPage } from "./MailPage.tsx";

export function Component() {
  return <MailPage view="dead" />;
}
