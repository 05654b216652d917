// Where the provider's page leads when it was paid. The portal is asked until it knows: the provider's word may take a moment longer
// than the reader.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { useSearchParams } from "react-router";
import { ApiError } from "@/api/error.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatDay } from "@/shared/format/dates.ts";
import { Metadata } from "@/shared/page/Metadata.tsx";
import { paths } from "@/shared/paths.ts";
import { SECOND } from "@/shared/queryDefaults.ts";
import { useAccount } from "@/shared/session/account.ts";
import { ButtonLink } from "@/ui/Button.tsx";
import { ErrorBanner, Waiting } from "@/ui/Notice.tsx";
import { Sheet } from "@/ui/Sheet.tsx";
import { ownSubscription } from "./api.ts";
import { refreshPlan, verify } from "./mutations.ts";
import { nameOfPlan } from "./prices.ts";

/** How often it is asked, and between two questions. */
const QUESTIONS = 10;
const PAUSE = 2 * SECOND;

/** What is known of the payment, in the page and in the window's title alike. */
function State({ title, children }: { title: string; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <Sheet title={title}>
      <Metadata title={title} description={t("plans.description")} keywords={t("plans.keywords")} unlisted />
      {children}
    </Sheet>
  );
}

function Failed({ message }: { message: string }) {
  const { t } = useTranslation();
  return (
    <State title={t("plans.success.errorTitle")}>
      <div className="grid gap-5">
        <ErrorBanner title={message} />
        <div className="flex flex-wrap gap-3">
          <ButtonLink to={paths.pricing}>{t("plans.success.tryAgain")}</ButtonLink>
          <ButtonLink to={paths.contact} look="outlined">
            {t("plans.success.contact")}
          </ButtonLink>
        </div>
      </div>
    </State>
  );
}

/** What is held now, and until when. */
function Held() {
  const { t } = useTranslation();
  const { data: held } = useQuery(ownSubscription);
  if (!held) return t("plans.success.text");
  return t("plans.success.active", { plan: nameOfPlan(held.plan, t), day: formatDay(held.endDate) });
}

function Verification({ sessionId }: { sessionId: string }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { data, error } = useVerification(sessionId);
  const isPaid = data?.success === true;
  useEffect(() => {
    if (isPaid) void refreshPlan(client);
  }, [isPaid, client]);
  if (isPaid) {
    return (
      <State title={t("plans.success.title")}>
        <div className="grid gap-5">
          <div role="status" className="flex items-start gap-3 rounded-lg bg-good-wash px-4 py-3 text-good">
            <CircleCheck size={20} aria-hidden className="mt-0.5 shrink-0" />
            <p>
              <Held />
            </p>
          </div>
          <div className="flex flex-wrap gap-3">
            <ButtonLink to={paths.tenders}>{t("plans.success.tenders")}</ButtonLink>
            <ButtonLink to={paths.account} look="outlined">
              {t("plans.success.account")}
            </ButtonLink>
          </div>
        </div>
      </State>
    );
  }
  if (error) return <Failed message={t("plans.success.broken")} />;
  if (data && data.asked >= QUESTIONS) {
    return <Failed message={data.message ?? t("plans.success.failed")} />;
  }
  return (
    <State title={t("plans.success.processing")}>
      <Waiting label={t("plans.success.wait")} />
    </State>
  );
}

/** What the portal says to it, and how often it was asked. */
function useVerification(sessionId: string) {
  const asked = useRef(0);
  return useQuery({
    queryKey: ["checkout", sessionId],
    queryFn: async ({ signal }) => {
      const answer = await verify(sessionId, signal);
      asked.current += 1;
      return { ...answer, asked: asked.current };
    },
    refetchInterval: ({ state }) =>
      state.error || state.data?.success || (state.data?.asked ?? 0) >= QUESTIONS ? false : PAUSE,
    retry: (failures, error) => !(error instanceof ApiError && error.isRefusal) && failures < 3,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/** Only its holder learns of a checkout. */
function SignInFirst() {
  const { t } = useTranslation();
  const here = `${window.location.pathname}${window.location.search}`;
  return (
    <State title={t("plans.success.processing")}>
      <div className="grid gap-5">
        <p className="text-ink-soft">{t("plans.success.signIn")}</p>
        <ButtonLink to={`${paths.login}?redirect=${encodeURIComponent(here)}`}>
          {t("plans.success.signInButton")}
        </ButtonLink>
      </div>
    </State>
  );
}

export function Component() {
  const { t } = useTranslation();
  const [parameters] = useSearchParams();
  const { status } = useAccount();
  const sessionId = parameters.get("session_id") ?? "";
  return (
    <>
      {sessionId === "" ? (
        <Failed message={t("plans.success.noSession")} />
      ) : status === "guest" ? (
        <SignInFirst />
      ) : (
        <Verification sessionId={sessionId} />
      )}
    </>
  );
}
