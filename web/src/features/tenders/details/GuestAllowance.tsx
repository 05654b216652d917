// Says how many tenders a guest can still open this month.

import { BookOpen } from "lucide-react";
import { useContext } from "react";
import { Link } from "react-router";
import { useTranslation } from "@/i18n/i18n.ts";
import { ClockContext } from "@/shared/clock.ts";
import { paths } from "@/shared/paths.ts";
import { useDetailsLeft } from "@/shared/plans/guestAllowance.ts";
import { GUEST_DETAILS_PER_MONTH } from "@/shared/plans/guestQuota.ts";
import { useAccount } from "@/shared/session/account.ts";

export function GuestAllowance() {
  const { t } = useTranslation();
  const { status } = useAccount();
  const now = useContext(ClockContext)();
  const left = useDetailsLeft(now);
  if (status !== "guest") return null;
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5 text-sm text-ink-soft print:hidden">
      <BookOpen size={16} aria-hidden className="shrink-0" />
      <span>{t("tenders.locked.left", { left, all: GUEST_DETAILS_PER_MONTH })}</span>
      <Link to={paths.register} className="font-semibold text-accent underline">
        {t("tenders.locked.signUpForMore")}
      </Link>
    </p>
  );
}
