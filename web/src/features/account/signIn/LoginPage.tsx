// The sign-in page. A signed-in user is redirected.

import { zodResolver } from "@hookform/resolvers/zod";
import { useId, useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { Link, Navigate, useLocation, useSearchParams } from "react-router";
import { messageOf } from "@/api/error.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { Metadata } from "@/shared/page/Metadata.tsx";
import { homePath, pathInsideApp, paths, REDIRECT_PARAMETER, signUpPath } from "@/shared/paths.ts";
import { useAccount } from "@/shared/session/account.ts";
import { Button } from "@/ui/Button.tsx";
import { Checkbox, PasswordField, TextField } from "@/ui/Field.tsx";
import { FormMessage } from "@/ui/FormMessage.tsx";
import { Sheet } from "@/ui/Sheet.tsx";
import { GoogleSignIn } from "../google/GoogleSignIn.tsx";
import { type SecondFactorChallenge, useSignIn } from "./api.ts";
import { type LoginForm, loginSchema } from "./forms.ts";
import { SecondFactorStep } from "./SecondFactorStep.tsx";

export function Component() {
  const { t } = useTranslation();
  const { user } = useAccount();
  const signIn = useSignIn();
  const [parameters] = useSearchParams();
  const location = useLocation();
  const messageId = useId();
  const { register, handleSubmit, formState, control } = useForm<LoginForm>({
    resolver: zodResolver(loginSchema),
    defaultValues: { email: "", password: "", remember: false },
  });
  const remember = useWatch({ control, name: "remember" });
  const [challenge, setChallenge] = useState<SecondFactorChallenge | null>(null);
  const submit = handleSubmit(({ email, password, remember }) =>
    signIn.mutate({ email: email.trim(), password, remember }, { onSuccess: setChallenge }),
  );

  const target =
    pathInsideApp((location.state as { from?: unknown } | null)?.from) ??
    pathInsideApp(parameters.get(REDIRECT_PARAMETER));
  if (user) return <Navigate replace to={target ?? homePath(user.role)} />;

  if (challenge) {
    return (
      <Sheet title={t("account.secondFactor.stepTitle")}>
        <Metadata
          title={t("account.login.pageTitle")}
          description={t("account.login.description")}
          keywords={t("account.login.keywords")}
        />
        <SecondFactorStep
          challenge={challenge}
          remember={remember}
          onCancel={() => {
            setChallenge(null);
            signIn.reset();
          }}
        />
      </Sheet>
    );
  }

  const { errors } = formState;
  const missing = errors.email !== undefined || errors.password !== undefined;
  const message = missing
    ? t("account.login.missing")
    : signIn.error && messageOf(signIn.error, t("account.login.failed"));

  return (
    <Sheet title={t("account.login.title")} subtitle={t("account.login.subtitle")}>
      <Metadata
        title={t("account.login.pageTitle")}
        description={t("account.login.description")}
        keywords={t("account.login.keywords")}
      />
      <form noValidate className="grid gap-5" onSubmit={submit}>
        <TextField
          label={t("account.login.email")}
          type="email"
          autoComplete="username"
          inputMode="email"
          error={errors.email && t("account.need.email")}
          {...register("email")}
        />
        <div className="grid">
          <PasswordField
            label={t("account.login.password")}
            autoComplete="current-password"
            error={errors.password && t("account.need.password")}
            show={t("account.showPassword")}
            hide={t("account.hidePassword")}
            {...register("password")}
          />
          <Link
            to={paths.forgotPassword}
            className="mt-1 inline-block justify-self-end py-2 text-[0.9375rem] font-medium text-accent underline"
          >
            {t("account.login.forgot")}
          </Link>
          <Checkbox
            label={t("account.login.remember")}
            help={t("account.login.rememberHint")}
            {...register("remember")}
          />
        </div>
        <FormMessage id={messageId}>{message}</FormMessage>
        <Button type="submit" size="large" disabled={signIn.isPending}>
          {t(signIn.isPending ? "account.login.busy" : "account.login.submit")}
        </Button>
      </form>
      <GoogleSignIn remember={remember} onChallenge={setChallenge} />
      <p className="mt-6 text-center text-[0.9375rem] text-ink-soft">
        {t("account.login.noAccount")}{" "}
        <Link
          to={target ? signUpPath(target) : paths.register}
          className="inline-block py-2 font-semibold text-accent underline"
        >
          {t("account.login.register")}
        </Link>
      </p>
    </Sheet>
  );
}
