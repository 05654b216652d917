// Guards pages that need an account, or an account of one role.

import { type ReactNode, useEffect, useEffectEvent } from "react";
import { Navigate, useLocation } from "react-router";
import { session } from "@/api/client.ts";
import type { Role, User } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { homePath, paths } from "@/shared/paths.ts";
import { Button } from "@/ui/Button.tsx";
import { Page } from "@/ui/Sheet.tsx";
import { ErrorBanner, LoadingScreen } from "@/ui/StatusMessages.tsx";
import { useAccount } from "./account.ts";

/** Redirects to sign-in, which later returns to this page. If a session ended, a toast says so. */
function SignInRedirect() {
  const { pathname, search } = useLocation();
  useEffect(() => {
    if (session.hasLapsed) session.announce("unauthorized");
  }, []);
  return <Navigate to={paths.login} replace state={{ from: pathname + search }} />;
}

/** Redirects to the start page of another role than the page is for. */
function RoleRedirect({ role, onRefused }: { role: Role; onRefused: (role: Role) => void }) {
  const refuse = useEffectEvent(() => onRefused(role));
  useEffect(() => refuse(), []);
  return <Navigate to={homePath(role)} replace />;
}

/**
 * Renders `children` for a signed-in user. If the roles `only` are given, the user must have one of them.
 * Redirects guests and users with another role, about which `onRefused` is told.
 */
export function Protected({
  only,
  onRefused = () => {},
  children,
}: {
  only?: Role | readonly Role[];
  onRefused?: (role: Role) => void;
  children: (user: User) => ReactNode;
}) {
  const { t } = useTranslation();
  const account = useAccount();
  if (account.status === "loading") return <LoadingScreen label={t("shell.loading")} />;
  if (account.status === "guest") return <SignInRedirect />;
  if (!account.user) {
    return (
      <Page className="py-10">
        <ErrorBanner
          title={t("account.unknown.title")}
          action={
            <Button variant="outlined" size="small" onClick={account.reload}>
              {t("shell.tryAgain")}
            </Button>
          }
        >
          {t("account.unknown.text")}
        </ErrorBanner>
      </Page>
    );
  }
  const { role } = account.user;
  if (only && ![only].flat().includes(role)) return <RoleRedirect role={role} onRefused={onRefused} />;
  return children(account.user);
}
