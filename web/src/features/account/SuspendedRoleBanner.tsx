// The banner on every page while the role of an administrator or reviewer is suspended.

import { ShieldAlert } from "lucide-react";
import { Link } from "react-router";
import { useTranslation } from "@/i18n/i18n.ts";
import { paths } from "@/shared/paths.ts";
import { useAccount } from "@/shared/session/account.ts";
import { Page } from "@/ui/Sheet.tsx";

export default function SuspendedRoleBanner() {
  const { t } = useTranslation();
  const { user } = useAccount();
  if (!user?.suspendedRole) return null;
  const { role, need } = user.suspendedRole;
  return (
    <aside
      aria-label={t("shell.suspendedRole.label")}
      className="border-b border-line bg-soon-wash text-soon print:hidden"
    >
      <Page className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2 text-[0.9375rem]">
        <ShieldAlert size={18} aria-hidden className="shrink-0" />
        <p className="min-w-48 flex-1">
          {t(`shell.suspendedRole.${need}`, {
            role: t(role === "admin" ? "shell.suspendedRole.admin" : "shell.suspendedRole.reviewer"),
          })}
        </p>
        <Link to={`${paths.accountSecurity}#second-factor`} className="font-semibold underline">
          {t("shell.suspendedRole.open")}
        </Link>
      </Page>
    </aside>
  );
}
