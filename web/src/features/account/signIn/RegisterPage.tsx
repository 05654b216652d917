// The sign-up page for suppliers and buyers. A link can preset the role.

import { zodResolver } from "@hookform/resolvers/zod";
import { BellPlus, Check } from "lucide-react";
import { useContext, useEffect, useId, useState } from "react";
import { type UseFormRegister, useForm, useWatch } from "react-hook-form";
import { Link, Navigate, useSearchParams } from "react-router";
import { ApiError, messageOf } from "@/api/error.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { ClockContext } from "@/shared/clock.ts";
import { Metadata } from "@/shared/page/Metadata.tsx";
import { homePath, pathInsideApp, paths, REDIRECT_PARAMETER, signInPath } from "@/shared/paths.ts";
import { useAccount } from "@/shared/session/account.ts";
import { keepIntendedPath } from "@/shared/session/intendedPath.ts";
import { isNewAlertPath } from "@/shared/tender/newAlertPath.ts";
import { Button } from "@/ui/Button.tsx";
import { Checkbox, PasswordField, TextField } from "@/ui/Field.tsx";
import { FormMessage } from "@/ui/FormMessage.tsx";
import { Sheet } from "@/ui/Sheet.tsx";
import { GoogleSignIn } from "../google/GoogleSignIn.tsx";
import { type Registration, type SecondFactorChallenge, useRegister } from "./api.ts";
import {
  MIN_PASSWORD_LENGTH,
  REPORTED_FIELDS,
  type RegisterFailure,
  type RegisterForm,
  registerSchema,
  roleFromLink,
} from "./forms.ts";
import { SecondFactorStep } from "./SecondFactorStep.tsx";

/** The failures of the form, in the order of the checks. */
const FAILURES: readonly RegisterFailure[] = ["missing", "mismatch", "tooShort", "noTerms"];

/**
 * The request body of the form. Everything but the password is trimmed. Empty optional fields, and
 * fields that only the form has, are left out.
 */
function toRegistration(form: RegisterForm): Registration {
  const { role, password } = form;
  const [firstName, lastName, email] = [form.firstName.trim(), form.lastName.trim(), form.email.trim()];
  const phone = form.phone.trim();
  const company = form.company.trim();
  return {
    role,
    firstName,
    lastName,
    email,
    password,
    ...(phone !== "" && { phone }),
    ...(company !== "" && { company }),
  };
}

/** The choice of the role. A role that the link has preset can't be changed. */
function RoleChoice({
  lockedRole,
  register,
}: {
  lockedRole: RegisterForm["role"] | null;
  register: UseFormRegister<RegisterForm>;
}) {
  const { t } = useTranslation();
  return (
    <fieldset>
      <legend className="mb-1.5 text-[0.9375rem] font-semibold">{t("account.register.role")}</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        {(["supplier", "buyer"] as const).map((role) => (
          <label
            key={role}
            className="cursor-pointer rounded-lg border border-edge bg-sheet px-3.5 py-2.5 has-checked:border-accent has-checked:bg-accent-wash has-checked:ring-1 has-checked:ring-accent has-disabled:cursor-default has-disabled:opacity-50 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              value={role}
              className="sr-only"
              {...register("role")}
              disabled={lockedRole !== null && lockedRole !== role}
            />
            <span className="block font-semibold">{t(`account.register.${role}`)}</span>
            <span className="block text-sm text-ink-soft">{t(`account.register.${role}Hint`)}</span>
          </label>
        ))}
      </div>
      {lockedRole && <p className="mt-1.5 text-sm text-ink-soft">{t("account.register.roleLocked")}</p>}
    </fieldset>
  );
}

/** What a supplier has with a free account. */
function Benefits() {
  const { t } = useTranslation();
  return (
    <ul className="grid gap-1.5 text-[0.9375rem]">
      {(["notices", "mayBid", "board"] as const).map((benefit) => (
        <li key={benefit} className="flex gap-2.5">
          <Check size={18} aria-hidden className="mt-0.5 shrink-0 text-accent" />
          {t(`account.register.benefit.${benefit}`)}
        </li>
      ))}
    </ul>
  );
}

/** What follows the form. The plans open in another tab so that no input is lost. */
function NextSteps() {
  const { t } = useTranslation();
  return (
    <div className="grid gap-1.5 text-sm text-ink-soft">
      <p>{t("account.register.next.session")}</p>
      <p>
        {t("account.register.next.plan")} {t("account.register.next.free")}{" "}
        <Link
          to={paths.pricing}
          target="_blank"
          rel="noopener"
          className="inline-block py-0.5 font-medium text-accent underline"
        >
          {t("account.register.next.compare")}
        </Link>
      </p>
    </div>
  );
}

/** The label of the terms checkbox. Its links open in another tab so that no input is lost. */
function AgreementLabel() {
  const { t } = useTranslation();
  const to = { terms: paths.terms, privacy: paths.privacy };
  return t("account.register.terms")
    .split(/(<(?:terms|privacy)>.*?<\/(?:terms|privacy)>)/)
    .map((part) => {
      const [, target, linkText] = /^<(terms|privacy)>(.*)<\/\1>$/.exec(part) ?? [];
      if (target !== "terms" && target !== "privacy") return part;
      return (
        <Link
          key={target}
          to={to[target]}
          target="_blank"
          rel="noopener"
          className="font-medium text-accent underline"
        >
          {linkText}
        </Link>
      );
    });
}

export function Component() {
  const { t } = useTranslation();
  const { user } = useAccount();
  const signUp = useRegister();
  const [parameters] = useSearchParams();
  const messageId = useId();
  const presetRole = roleFromLink(parameters);
  const now = useContext(ClockContext);
  const target = pathInsideApp(parameters.get(REDIRECT_PARAMETER));
  // The mail that confirms the address leads to another tab, which continues there.
  useEffect(() => {
    if (target) keepIntendedPath(target, now());
  }, [target, now]);
  const { register, handleSubmit, setError, formState, control } = useForm<RegisterForm>({
    resolver: zodResolver(registerSchema),
    defaultValues: {
      role: presetRole ?? "supplier",
      firstName: "",
      lastName: "",
      email: "",
      phone: "",
      company: "",
      password: "",
      confirmPassword: "",
      terms: false,
      newsletter: false,
    },
  });

  const role = useWatch({ control, name: "role" });

  /** A user who registers with a known Google account signs in, which may need a second step. */
  const [challenge, setChallenge] = useState<SecondFactorChallenge | null>(null);

  if (user) return <Navigate replace to={target ?? homePath(user.role)} />;

  const { errors } = formState;
  const failure = FAILURES.find((key) => Object.values(errors).some((error) => error?.message === key));
  const message = failure
    ? t(`account.register.${failure}`)
    : signUp.error && messageOf(signUp.error, t("account.register.failed"));

  /** The message below a field: what to enter if the field is blank, or the server's error. */
  const fieldError = (field: keyof RegisterForm): string | undefined => {
    const error = errors[field];
    if (error?.type === "server") return error.message;
    const required = REPORTED_FIELDS.find((name) => name === field);
    return error?.message === "missing" && required ? t(`account.register.need.${required}`) : undefined;
  };
  const field = (name: keyof RegisterForm) => ({
    error: fieldError(name),
    invalid: errors[name] !== undefined,
    messageId,
    ...register(name),
  });

  const submit = handleSubmit((form) =>
    signUp.mutate(toRegistration(form), {
      onError: (error) => {
        if (!(error instanceof ApiError)) return;
        for (const { field, message } of error.errors) {
          if (field in form) setError(field as keyof RegisterForm, { type: "server", message });
        }
      },
    }),
  );

  if (challenge) {
    return (
      <Sheet title={t("account.secondFactor.stepTitle")}>
        <SecondFactorStep challenge={challenge} remember onCancel={() => setChallenge(null)} />
      </Sheet>
    );
  }

  const title = presetRole ? t(`account.register.${presetRole}Title`) : t("account.register.title");
  return (
    <Sheet
      title={title}
      subtitle={presetRole ? t(`account.register.${presetRole}Subtitle`) : t("account.register.subtitle")}
    >
      <Metadata
        title={title}
        description={t("account.register.description")}
        keywords={t("account.register.keywords")}
      />
      {isNewAlertPath(target) && (
        <p className="mb-5 flex items-start gap-3 rounded-lg bg-accent-wash px-4 py-3 text-[0.9375rem] text-accent">
          <BellPlus size={18} aria-hidden className="mt-0.5 shrink-0" />
          {t("account.register.forAlert")}
        </p>
      )}
      <form noValidate className="grid gap-5" onSubmit={submit}>
        <RoleChoice lockedRole={presetRole} register={register} />
        {role === "supplier" && <Benefits />}
        <TextField
          label={t("account.register.firstName")}
          autoComplete="given-name"
          {...field("firstName")}
        />
        <TextField label={t("account.register.lastName")} autoComplete="family-name" {...field("lastName")} />
        <TextField
          label={t("account.register.email")}
          type="email"
          inputMode="email"
          autoComplete="username"
          {...field("email")}
        />
        <TextField
          label={t("account.register.phone")}
          optional={t("account.optional")}
          type="tel"
          autoComplete="tel"
          {...field("phone")}
        />
        <TextField
          label={t("account.register.company")}
          optional={t("account.optional")}
          autoComplete="organization"
          {...field("company")}
        />
        <PasswordField
          label={t("account.register.password")}
          help={t("account.register.passwordHint", { count: MIN_PASSWORD_LENGTH })}
          autoComplete="new-password"
          show={t("account.showPassword")}
          hide={t("account.hidePassword")}
          {...field("password")}
        />
        <TextField
          label={t("account.register.confirmPassword")}
          type="password"
          autoComplete="new-password"
          {...field("confirmPassword")}
        />
        <div>
          <Checkbox
            label={<AgreementLabel />}
            invalid={errors.terms !== undefined}
            messageId={messageId}
            {...register("terms")}
          />
          <Checkbox
            label={t("account.register.newsletter")}
            optional={t("account.optional")}
            {...register("newsletter")}
          />
        </div>
        <FormMessage id={messageId}>{message}</FormMessage>
        <Button type="submit" size="large" disabled={signUp.isPending}>
          {t(signUp.isPending ? "account.register.busy" : "account.register.submit")}
        </Button>
        <NextSteps />
      </form>
      <GoogleSignIn role={role} onChallenge={setChallenge} />
      <p className="mt-6 text-center text-[0.9375rem] text-ink-soft">
        {t("account.register.haveAccount")}{" "}
        <Link
          to={target ? signInPath(target) : paths.login}
          className="inline-block py-2 font-semibold text-accent underline"
        >
          {t("account.register.signIn")}
        </Link>
      </p>
    </Sheet>
  );
}
