// The offer to e-mail new tenders. Guests are led to sign up first; the form opens afterwards.

import { BellPlus } from "lucide-react";
import { Link } from "react-router";
import { useTranslation } from "@/i18n/i18n.ts";
import { signUpPath } from "@/shared/paths.ts";
import { useAccount } from "@/shared/session/account.ts";
import { ButtonLink } from "@/ui/Button.tsx";

interface AlertLinkProps {
  /** The address of the prefilled form. */
  path: string;
  /** Looks like a link beside other tools by default. */
  look?: "link" | "filled" | "outlined";
  label?: string;
}

export function AlertLink({ path, look = "link", label }: AlertLinkProps) {
  const { t } = useTranslation();
  const { status } = useAccount();
  const to = status === "guest" ? signUpPath(path) : path;
  const content = (
    <>
      <BellPlus size={look === "link" ? 16 : 17} aria-hidden className="shrink-0" />
      {label ?? t("alerts.fromSearch")}
    </>
  );
  if (look === "link") {
    return (
      <Link
        to={to}
        className="inline-flex min-h-8 items-center gap-1.5 rounded-lg text-sm font-semibold text-accent hover:underline max-sm:min-h-11 print:hidden"
      >
        {content}
      </Link>
    );
  }
  return (
    <ButtonLink to={to} variant={look} size="small" className="print:hidden">
      {content}
    </ButtonLink>
  );
}
