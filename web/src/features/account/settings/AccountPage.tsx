// The account page. Its sections cover the plan, the profile, notifications, sign-in and personal
// data. Plans with API access have further sections.

import { useQuery } from "@tanstack/react-query";
import { MailWarning } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { useForm } from "react-hook-form";
import { ApiError, messageOf } from "@/api/error.ts";
import type { User } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatMoment } from "@/shared/format/dates.ts";
import { Metadata } from "@/shared/page/Metadata.tsx";
import { RequestId } from "@/shared/page/RequestId.tsx";
import { SecondFactorPrompt } from "@/shared/secondFactor/SecondFactorPrompt.tsx";
import { Protected } from "@/shared/session/Protected.tsx";
import { Badge } from "@/ui/Badge.tsx";
import { Button } from "@/ui/Button.tsx";
import { Checkbox, PasswordField, TextField } from "@/ui/Field.tsx";
import { FormMessage } from "@/ui/FormMessage.tsx";
import { SectionCard } from "@/ui/SectionCard.tsx";
import { Page } from "@/ui/Sheet.tsx";
import { ErrorBanner } from "@/ui/StatusMessages.tsx";
import { toast } from "@/ui/toasts.ts";
import { AccountManager, ReportsLink } from "../enterprise/AccountManager.tsx";
import { ApiKeys } from "../enterprise/ApiKeys.tsx";
import { Team } from "../enterprise/Team.tsx";
import { useForgotPassword, useResendVerification } from "../signIn/api.ts";
import { MIN_PASSWORD_LENGTH } from "../signIn/forms.ts";
import { mySessions, useChangePassword, useEndOtherSessions, useEndSession, useSaveProfile } from "./api.ts";
import { ChangeEmail } from "./ChangeEmail.tsx";
import { Channels } from "./Channels.tsx";
import { ConnectGoogle } from "./ConnectGoogle.tsx";
import { MailPreferences } from "./MailPreferences.tsx";
import { PersonalData } from "./PersonalData.tsx";
import { SecondFactors } from "./SecondFactors.tsx";
import { parseUserAgent } from "./userAgent.ts";

/** Explains why mails are paused, and offers to send the confirmation mail again. */
function UnverifiedNotice({ user: { email, mailReturned } }: { user: User }) {
  const { t } = useTranslation();
  const send = useResendVerification();
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg bg-soon-wash px-4 py-3 text-soon">
      <MailWarning size={20} aria-hidden className="shrink-0" />
      <p className="min-w-48 flex-1 text-[0.9375rem]">
        {t(`account.settings.${mailReturned ?? "unverified"}`, { email })}
      </p>
      <Button variant="outlined" size="small" disabled={send.isPending} onClick={() => send.mutate()}>
        {t("account.settings.resend")}
      </Button>
    </div>
  );
}

function ProfileForm({ user }: { user: User }) {
  const { t } = useTranslation();
  const messageId = useId();
  const { register, handleSubmit, setError, reset, formState } = useForm({
    defaultValues: {
      firstName: user.firstName,
      lastName: user.lastName,
      phone: user.phone ?? "",
      company: user.company ?? "",
    },
  });
  const save = useSaveProfile();
  const submit = handleSubmit((form) =>
    save.mutate(form, {
      onSuccess: () => reset(form),
      onError: (error) => {
        if (!(error instanceof ApiError)) return;
        for (const { field, message } of error.errors) {
          if (field in form) setError(field as keyof typeof form, { message });
        }
      },
    }),
  );
  const field = (name: "firstName" | "lastName" | "phone" | "company") => ({
    label: t(`account.register.${name}`),
    error: formState.errors[name]?.message,
    messageId,
    ...register(name),
  });
  return (
    <SectionCard title={t("account.settings.profile")}>
      <form noValidate className="grid gap-5" onSubmit={submit}>
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField {...field("firstName")} autoComplete="given-name" />
          <TextField {...field("lastName")} autoComplete="family-name" />
          <TextField {...field("phone")} optional={t("account.optional")} type="tel" autoComplete="tel" />
          <TextField {...field("company")} optional={t("account.optional")} autoComplete="organization" />
        </div>
        <FormMessage id={messageId}>
          {save.error && messageOf(save.error, t("account.settings.saveFailed"))}
        </FormMessage>
        <Button type="submit" className="justify-self-start" disabled={save.isPending || !formState.isDirty}>
          {t(save.isPending ? "account.settings.saving" : "account.settings.save")}
        </Button>
      </form>
    </SectionCard>
  );
}

function PasswordForm() {
  const { t } = useTranslation();
  const messageId = useId();
  const [message, setMessage] = useState<string | null>(null);
  const { register, handleSubmit, reset } = useForm({
    defaultValues: { currentPassword: "", newPassword: "", withdrawAccess: false },
  });
  const change = useChangePassword();
  const submit = handleSubmit((form) => {
    const problem =
      form.currentPassword === "" || form.newPassword === ""
        ? t("account.login.missing")
        : form.newPassword.length < MIN_PASSWORD_LENGTH
          ? t("account.register.tooShort")
          : null;
    setMessage(problem);
    if (problem) return;
    change.mutate(form, {
      onSuccess: () => reset(),
      onError: (error) => setMessage(messageOf(error, t("account.settings.saveFailed"))),
    });
  });
  const toggleLabels = { show: t("account.showPassword"), hide: t("account.hidePassword") };
  const errorProps = { invalid: message !== null, messageId };
  return (
    <SectionCard title={t("account.settings.password")}>
      <form noValidate className="grid gap-5" onSubmit={submit}>
        <div className="grid gap-5 sm:grid-cols-2">
          <PasswordField
            label={t("account.settings.currentPassword")}
            autoComplete="current-password"
            {...toggleLabels}
            {...errorProps}
            {...register("currentPassword")}
          />
          <PasswordField
            label={t("account.settings.newPassword")}
            help={t("account.register.passwordHint", { count: MIN_PASSWORD_LENGTH })}
            autoComplete="new-password"
            {...toggleLabels}
            {...errorProps}
            {...register("newPassword")}
          />
        </div>
        <Checkbox
          label={t("account.withdrawAccess")}
          help={t("account.withdrawAccessHelp")}
          {...register("withdrawAccess")}
        />
        <FormMessage id={messageId}>{message}</FormMessage>
        <Button type="submit" className="justify-self-start" disabled={change.isPending}>
          {t(change.isPending ? "account.settings.saving" : "account.settings.changePassword")}
        </Button>
      </form>
    </SectionCard>
  );
}

/** Lets a user without a password set one, through the mail for forgotten passwords. */
function SetPassword({ email }: { email: string }) {
  const { t } = useTranslation();
  const request = useForgotPassword();
  return (
    <SectionCard title={t("account.settings.password")}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-48 flex-1 text-[0.9375rem]">{t("account.settings.noPassword", { email })}</p>
        <Button
          variant="outlined"
          size="small"
          disabled={request.isPending || request.isSuccess}
          onClick={() =>
            request.mutate(email, {
              onSuccess: () => void toast.success(t("account.settings.resent")),
              onError: (error) =>
                void toast.error(t("account.settings.resendFailed"), { description: messageOf(error, "") }),
            })
          }
        >
          {t("account.settings.mailPassword")}
        </Button>
      </div>
    </SectionCard>
  );
}

function Sessions() {
  const { t } = useTranslation();
  const sessions = useQuery(mySessions);
  const browserName = (agent: string | null) => {
    const { browser, system } = parseUserAgent(agent);
    if (browser && system) return t("account.settings.browserOn", { browser, system });
    return browser ?? system ?? t("account.settings.unknownBrowser");
  };
  const end = useEndSession();
  const endOthers = useEndOtherSessions();
  const hasOthers = sessions.data?.some(({ isCurrent }) => !isCurrent);
  return (
    <SectionCard title={t("account.settings.sessions")}>
      {sessions.error && (
        <ErrorBanner title={t("account.settings.sessionsFailed")}>
          <RequestId error={sessions.error} />
        </ErrorBanner>
      )}
      <ul className="divide-y divide-line">
        {sessions.data?.map(({ _id, userAgent, usedAt, isCurrent }) => (
          <li
            key={_id}
            className="flex flex-wrap items-center justify-between gap-3 py-3 first:pt-0 last:pb-0"
          >
            <div className="min-w-0 flex-1">
              <p className="text-[0.9375rem]" title={userAgent ?? undefined}>
                {browserName(userAgent)}
              </p>
              <p className="text-sm text-ink-soft">
                {t("account.settings.lastUsed", { date: formatMoment(usedAt) })}
              </p>
            </div>
            {isCurrent ? (
              <Badge tone="good">{t("account.settings.thisOne")}</Badge>
            ) : (
              <Button
                variant="outlined"
                size="small"
                disabled={end.isPending}
                onClick={() => end.mutate(_id)}
              >
                {t("account.settings.signOutThere")}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {hasOthers && (
        <Button
          variant="outlined"
          size="small"
          className="mt-4 justify-self-start"
          disabled={endOthers.isPending}
          onClick={() => endOthers.mutate()}
        >
          {t("account.settings.signOutOthers")}
        </Button>
      )}
    </SectionCard>
  );
}

/** `plan` renders the section about the user's plan, which belongs to another feature. */
export function AccountPage({ plan }: { plan: (user: User) => ReactNode }) {
  const { t } = useTranslation();
  return (
    <>
      <Metadata
        title={t("account.settings.title")}
        description={t("account.settings.description")}
        keywords={t("account.login.keywords")}
        unlisted
      />
      <Protected>
        {(user) => (
          <Page className="py-8">
            <div className="mx-auto grid max-w-[44rem] grid-cols-[minmax(0,1fr)] gap-6">
              <h1 className="text-2xl font-bold tracking-tight">{t("account.settings.title")}</h1>
              {!user.emailVerified && <UnverifiedNotice user={user} />}
              {plan(user)}
              <ProfileForm user={user} />
              <ChangeEmail user={user} />
              <MailPreferences user={user} />
              {user.subscription.features.directAlerts && <Channels />}
              {user.hasPassword ? <PasswordForm /> : <SetPassword email={user.email} />}
              <SecondFactors user={user} />
              <ConnectGoogle user={user} />
              <Sessions />
              {user.subscription.features.apiAccess && (
                <>
                  <AccountManager />
                  <ReportsLink />
                  <Team user={user} />
                  <ApiKeys />
                </>
              )}
              <PersonalData user={user} />
            </div>
            <SecondFactorPrompt />
          </Page>
        )}
      </Protected>
    </>
  );
}
