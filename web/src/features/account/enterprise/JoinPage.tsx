// The page that an invitation mail links to. The user joins by pressing a button, not by opening
// the page.

import { Users } from "lucide-react";
import { useSearchParams } from "react-router";
import { messageOf } from "@/api/error.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { Metadata } from "@/shared/page/Metadata.tsx";
import { paths } from "@/shared/paths.ts";
import { Protected } from "@/shared/session/Protected.tsx";
import { Button, ButtonLink } from "@/ui/Button.tsx";
import { FormMessage } from "@/ui/FormMessage.tsx";
import { Sheet } from "@/ui/Sheet.tsx";
import { useJoinTeam } from "./api.ts";

function JoinForm({ email }: { email: string }) {
  const { t } = useTranslation();
  const [parameters] = useSearchParams();
  const join = useJoinTeam();
  if (join.data) {
    const owner = join.data.team.members[0];
    return (
      <div className="grid gap-5">
        <div role="status" className="flex items-start gap-3 rounded-lg bg-good-wash px-4 py-3 text-good">
          <Users size={20} aria-hidden className="mt-0.5 shrink-0" />
          <p>{t("account.team.joined", { name: `${owner?.firstName} ${owner?.lastName}` })}</p>
        </div>
        <ButtonLink to={paths.alerts}>{t("account.team.toAlerts")}</ButtonLink>
      </div>
    );
  }
  return (
    <div className="grid gap-5">
      <p className="text-ink-soft">{t("account.team.joinText", { email })}</p>
      <FormMessage id="join-message">
        {join.error ? messageOf(join.error, t("account.team.failed")) : null}
      </FormMessage>
      <Button
        size="large"
        disabled={join.isPending}
        onClick={() => join.mutate(parameters.get("token") ?? "")}
      >
        {t("account.team.join")}
      </Button>
    </div>
  );
}

export function Component() {
  const { t } = useTranslation();
  return (
    <Protected>
      {(user) => (
        <Sheet title={t("account.team.joinTitle")}>
          <Metadata
            title={t("account.team.joinTitle")}
            description={t("account.team.joinText", { email: user.email })}
            keywords={t("account.login.keywords")}
            unlisted
          />
          <JoinForm email={user.email} />
        </Sheet>
      )}
    </Protected>
  );
}
