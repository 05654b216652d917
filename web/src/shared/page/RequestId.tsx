// Shows the id under which the server logged a failed request, for support. A request that never
// reached the server has no id.

import { ApiError } from "@/api/error.ts";
import { useTranslation } from "@/i18n/i18n.ts";

export function RequestId({ error }: { error: Error }) {
  const { t } = useTranslation();
  if (!(error instanceof ApiError) || !error.requestId) return null;
  return <p className="break-all">{t("shell.reference", { id: error.requestId })}</p>;
}
