// The offer to e-mail new tenders. Guests are led to sign up first; the form opens afterwards. Who has no alerts
// reads which plan has them.

import { BellPlus } from "lucide-react";
import { Link } from "react-router";
import { useTranslation } from "@/i18n/i18n.ts";
import { signUpPath } from "@/shared/paths.ts";
import { useAccount } from "@/shared/session/account.ts";
import { hasAlerts } from "@/shared/session/planAccess.ts";
import { ButtonLink } from "@/ui/Button.tsx";

/** A tool beside a list: an icon and a word, and on a phone a button with the icon only. */
export const TOOL_STYLE =
  "inline-flex min-h-8 items-center gap-1.5 rounded-lg text-sm hover:underline max-sm:size-11 max-sm:justify-center max-sm:border max-sm:border-edge max-sm:bg-sheet";

interface AlertLinkProps {
  /** The address of the prefilled form. */
  path: string;
  /** Looks like a link beside other tools by default. On a phone, that is a button with an icon only. */
  look?: "link" | "filled" | "outlined";
  label?: string;
}

export function AlertLink({ path, look = "link", label }: AlertLinkProps) {
  const { t } = useTranslation();
  const { status, user } = useAccount();
  const needsPlan = status === "guest" || (user !== null && !hasAlerts(user));
  const to = status === "guest" ? signUpPath(path) : path;
  const content = (
    <>
      <BellPlus size={look === "link" ? 16 : 17} aria-hidden className="shrink-0" />
      <span className={look === "link" ? "max-sm:sr-only" : "min-w-0 text-left leading-tight"}>
        {label ?? t("alerts.fromSearch")}
        {needsPlan && (
          <>
            {" "}
            <span className={`text-[0.8125rem] font-normal ${look === "link" ? "" : "block leading-tight"}`}>
              {t("alerts.withPlan")}
            </span>
          </>
        )}
      </span>
    </>
  );
  if (look === "link") {
    return (
      <Link to={to} className={`${TOOL_STYLE} font-semibold text-accent print:hidden`}>
        {content}
      </Link>
    );
  }
  return (
    <ButtonLink
      to={to}
      variant={look}
      size="small"
      className={needsPlan ? "py-1.5 print:hidden" : "print:hidden"}
    >
      {content}
    </ButtonLink>
  );
}
