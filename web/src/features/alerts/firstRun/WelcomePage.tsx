// The first run: three questions that fill the company profile and make the first alert. If the plan has
// no alerts, the answers become a saved search, and the next page offers the alert.

import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { useNavigate } from "react-router";
import { messageOf } from "@/api/error.ts";
import type { User } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { companyProfile } from "@/shared/company.ts";
import { Metadata } from "@/shared/page/Metadata.tsx";
import { homePath, paths } from "@/shared/paths.ts";
import { Protected } from "@/shared/session/Protected.tsx";
import { hasAlerts } from "@/shared/session/planAccess.ts";
import { vocabularyName } from "@/shared/tender/vocabularyNames.ts";
import { Button, ButtonLink } from "@/ui/Button.tsx";
import { FormMessage } from "@/ui/FormMessage.tsx";
import { SectionCard } from "@/ui/SectionCard.tsx";
import { Page } from "@/ui/Sheet.tsx";
import { LoadingScreen } from "@/ui/StatusMessages.tsx";
import { toast } from "@/ui/toasts.ts";
import { AlertSummary } from "../AlertSummary.tsx";
import { alertList } from "../api.ts";
import { MatchPreview } from "../MatchPreview.tsx";
import {
  type Answers,
  alertFrom,
  alertPathFrom,
  answersOf,
  isAnswered,
  noAnswers,
  offeredWorks,
} from "./answers.ts";
import { useFirstRun } from "./api.ts";
import { Questions } from "./Questions.tsx";

/** A name for the alert: the work, else the sectors, and the districts. */
function useAlertName({ sectors, works, words, districts, ...rest }: Answers): string {
  const { t } = useTranslation();
  const chosen = offeredWorks({ sectors, works, words, districts, ...rest })
    .filter(({ key }) => works.includes(key))
    .map(({ key }) => t(`alerts.welcome.work.${key}`));
  const about = [...chosen, ...words];
  const places = districts.map((district) => vocabularyName("district", district, t));
  const what = about.length > 0 ? about : sectors.map((sector) => t(`tenders.sector.${sector}`));
  return [what.join(", "), places.join(", ")].filter(Boolean).join(" · ");
}

interface FirstRunProps {
  user: User;
  known: Answers;
  /** Whether the user has alerts already. */
  hasOthers: boolean;
}

function FirstRun({ user, known, hasOthers }: FirstRunProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const messageId = useId();
  const [answers, setAnswers] = useState(known);
  // The alert that is made here does not make itself another one.
  const [isFirst] = useState(!hasOthers);
  const [isMissing, setMissing] = useState(false);
  // The idempotency key. It is sent with every attempt, so that repeated requests create one alert.
  const [submission] = useState(() => crypto.randomUUID());
  const save = useFirstRun(submission);
  const withAlerts = hasAlerts(user);
  const alert = alertFrom(answers, useAlertName(answers));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(!isAnswered(answers));
    if (!isAnswered(answers)) return;
    save.mutate(
      { answers, alert, hasAlerts: withAlerts },
      {
        onSuccess: () => {
          toast.success(t(withAlerts ? "alerts.done.created" : "tenders.saved.searchSaved"));
          void navigate(withAlerts ? paths.alerts : alertPathFrom(answers));
        },
      },
    );
  };
  const message = isMissing
    ? t("alerts.welcome.missing")
    : save.error && messageOf(save.error, t("alerts.welcome.failed"));
  return (
    <Page className="py-8">
      <div className="mx-auto max-w-[46rem]">
        <h1 className="text-2xl font-bold tracking-tight">
          {t(isFirst ? "alerts.welcome.title" : "alerts.welcome.another")}
        </h1>
        <p className="mt-1 max-w-[65ch] text-ink-soft">{t("alerts.welcome.text")}</p>
        {!user.emailVerified && (
          <p role="status" className="mt-4 rounded-lg bg-soon-wash px-4 py-3 text-[0.9375rem] text-soon">
            {t("account.verify.inbox", { email: user.email })}
          </p>
        )}
        <form noValidate className="mt-6 grid gap-5" onSubmit={submit}>
          <Questions
            answers={answers}
            onChange={(change) => {
              setMissing(false);
              setAnswers((before) => ({ ...before, ...change }));
            }}
          />
          {isAnswered(answers) && (
            <SectionCard title={t(isFirst ? "alerts.welcome.result" : "alerts.welcome.anotherResult")}>
              <div className="grid gap-4">
                <AlertSummary form={alert} />
                {withAlerts ? (
                  <MatchPreview
                    form={alert}
                    onAdd={(added) =>
                      setAnswers((before) => ({
                        ...before,
                        offered: [
                          ...before.offered,
                          ...added.map(({ term, matchType }) => ({
                            term: term ?? "",
                            matchType: matchType ?? ("contains" as const),
                          })),
                        ],
                      }))
                    }
                  />
                ) : (
                  <p className="text-[0.9375rem] text-ink-soft">{t("alerts.welcome.noAlerts")}</p>
                )}
              </div>
            </SectionCard>
          )}
          <FormMessage id={messageId}>{message}</FormMessage>
          <div className="flex flex-wrap gap-3">
            <Button type="submit" size="large" disabled={save.isPending}>
              {t(withAlerts ? "alerts.form.create" : "alerts.welcome.saveSearch")}
            </Button>
            <ButtonLink to={homePath(user.role)} variant="plain" size="large">
              {t("alerts.welcome.skip")}
            </ButtonLink>
          </div>
        </form>
      </div>
    </Page>
  );
}

/** The questions, with the answers that the company profile has already. */
function FirstRunOf({ user }: { user: User }) {
  const { t } = useTranslation();
  const { data, isPending } = useQuery(companyProfile);
  const { data: list, isLoading } = useQuery({ ...alertList, enabled: hasAlerts(user) });
  const hasOthers = (list?.alerts ?? []).length > 0;
  const known = data ? answersOf(data.company) : noAnswers;
  return (
    <>
      <Metadata
        title={t(hasOthers ? "alerts.welcome.another" : "alerts.welcome.title")}
        description={t("alerts.description")}
        keywords={t("alerts.keywords")}
        unlisted
      />
      {isPending || isLoading ? (
        <LoadingScreen label={t("shell.loading")} />
      ) : (
        <FirstRun user={user} known={known} hasOthers={hasOthers} />
      )}
    </>
  );
}

export function Component() {
  return <Protected>{(user) => <FirstRunOf user={user} />}</Protected>;
}
