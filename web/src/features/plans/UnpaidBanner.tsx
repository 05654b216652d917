// The banner on every page while the user's plan is unpaid.

import { CircleAlert } from "lucide-react";
import { Link } from "react-router";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatDay } from "@/shared/format/dates.ts";
import { paths } from "@/shared/paths.ts";
import { useAccount } from "@/shared/session/account.ts";
import { Page } from "@/ui/Sheet.tsx";

export default function UnpaidBanner() {
  const { t } = useTranslation();
  const { user } = useAccount();
  const until = user?.subscription.unpaidUntil ?? null;
  if (until === null) return null;
  return (
    <aside
      aria-label={t("shell.unpaid.label")}
      className="border-b border-line bg-urgent-wash text-urgent print:hidden"
    >
      <Page className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2 text-[0.9375rem]">
        <CircleAlert size={18} aria-hidden className="shrink-0" />
        <p className="min-w-48 flex-1">{t("shell.unpaid.text", { day: formatDay(until) })}</p>
        <Link to={paths.account} className="font-semibold underline">
          {t("shell.unpaid.pay")}
        </Link>
      </Page>
    </aside>
  );
}
