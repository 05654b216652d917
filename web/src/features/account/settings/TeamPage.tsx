// The team of the user, its account manager and its API keys.

import { Link } from "react-router";
import { useTranslation } from "@/i18n/i18n.ts";
import { paths } from "@/shared/paths.ts";
import { AccountManager, ReportsLink } from "../enterprise/AccountManager.tsx";
import { ApiKeys } from "../enterprise/ApiKeys.tsx";
import { Team } from "../enterprise/Team.tsx";
import { AccountSection } from "./AccountSection.tsx";

export function Component() {
  const { t } = useTranslation();
  return (
    <AccountSection section="team">
      {(user) =>
        user.subscription.features.apiAccess ? (
          <>
            <AccountManager />
            <ReportsLink />
            <Team user={user} />
            <ApiKeys />
          </>
        ) : (
          <p>
            {t("account.sections.teamPlan")}{" "}
            <Link to={paths.pricing} className="font-medium text-accent underline">
              {t("account.sections.plans")}
            </Link>
          </p>
        )
      }
    </AccountSection>
  );
}
