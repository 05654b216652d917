// The page that lists suppressed addresses.

import { MailPage } from "./MailPage.tsx";

export function Component() {
  return <MailPage view="suppressed" />;
}
