// Google sign-in, below the form of the sign-in and sign-up pages. Without a client id, nothing is
// shown.

import { useId } from "react";
import { Link } from "react-router";
import { settings } from "@/api/settings.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { paths } from "@/shared/paths.ts";
import { FormMessage } from "@/ui/FormMessage.tsx";
import { type GoogleSignInForm, type SecondFactorChallenge, useGoogleSignIn } from "../signIn/api.ts";
import { GoogleButton } from "./GoogleButton.tsx";

export function GoogleSignIn({
  onChallenge,
  ...choice
}: Omit<GoogleSignInForm, "credential"> & {
  /** Called if a second step is needed. */
  onChallenge: (challenge: SecondFactorChallenge) => void;
}) {
  const { t } = useTranslation();
  const signIn = useGoogleSignIn();
  const messageId = useId();
  // In the text, `<terms>` encloses the words that link to the terms.
  const [before, linked, after] = t("account.google.consent").split(/<\/?terms>/);
  if (!settings.googleClientId) return null;
  return (
    <div className="mt-6 grid gap-4">
      <p className="flex items-center gap-3 text-sm text-ink-soft before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {t("account.google.or")}
      </p>
      <GoogleButton
        onCredential={(credential) =>
          signIn.mutate(
            { ...choice, credential },
            { onSuccess: (challenge) => challenge && onChallenge(challenge) },
          )
        }
        onError={() => signIn.mutate(null)}
      />
      <p role="status" className="text-center text-sm text-ink-soft empty:hidden">
        {signIn.isPending && t("account.google.busy")}
      </p>
      <FormMessage id={messageId}>{signIn.isError ? t("account.google.failed") : null}</FormMessage>
      <p className="text-center text-sm text-balance text-ink-soft">
        {before}
        <Link to={paths.terms} className="underline">
          {linked}
        </Link>
        {after}
      </p>
    </div>
  );
}
