// Google's sign-in button, which Google's script renders. Without a client id, nothing is shown.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { settings } from "@/api/settings.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { useTheme } from "@/shared/theme.ts";
import { Button } from "@/ui/Button.tsx";
import { googleNonce } from "../signIn/api.ts";
import { type GoogleResponse, loadGoogleIdentity, markPressed, receiveFromGoogle } from "./googleIdentity.ts";

/** The smallest and largest width that Google's script supports, in pixels. */
const [MIN_BUTTON_WIDTH, MAX_BUTTON_WIDTH] = [200, 400];

interface GoogleButtonProps {
  onCredential: (credential: string) => void;
  /** Called when Google returns no credential. */
  onError: () => void;
}

function RenderedButton({ clientId, onCredential, onError }: GoogleButtonProps & { clientId: string }) {
  const { t, language } = useTranslation();
  const theme = useTheme();
  const container = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<"loading" | "drawn" | "failed">("loading");
  const [attempt, setAttempt] = useState(0);
  const client = useQueryClient();
  const { data: nonce, isError: hasNoNonce, refetch } = useQuery(googleNonce);
  const handleResponse = useEffectEvent(({ credential }: GoogleResponse) => {
    if (credential) onCredential(credential);
    else onError();
    // A nonce works once.
    void client.invalidateQueries({ queryKey: googleNonce.queryKey });
  });

  const receiver = useRef<(answer: GoogleResponse) => void>(undefined);

  useEffect(() => {
    const receive = (answer: GoogleResponse) => handleResponse(answer);
    receiver.current = receive;
    return receiveFromGoogle(receive);
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `theme` or `attempt` needs a redraw
  useEffect(() => {
    const parent = container.current;
    if (!parent || nonce === undefined) return;
    let isCurrent = true;
    let drawn: number | null = null;
    let draw = () => {};
    // Google's button has a fixed width, so it is rendered again when its container is resized.
    const resized = new ResizeObserver(() => draw());
    setState("loading");
    loadGoogleIdentity(clientId, nonce).then(
      (google) => {
        if (!isCurrent) return;
        draw = () => {
          const width = Math.min(Math.max(parent.clientWidth, MIN_BUTTON_WIDTH), MAX_BUTTON_WIDTH);
          if (width === drawn) return;
          drawn = width;
          parent.replaceChildren();
          google.renderButton(parent, {
            type: "standard",
            theme: document.documentElement.dataset.theme === "dark" ? "filled_black" : "outline",
            size: "large",
            text: "continue_with",
            shape: "rectangular",
            width,
            locale: language,
            click_listener: () => markPressed(receiver.current),
          });
        };
        draw();
        resized.observe(parent);
        setState("drawn");
      },
      () => isCurrent && setState("failed"),
    );
    return () => {
      isCurrent = false;
      resized.disconnect();
    };
  }, [clientId, nonce, theme, language, attempt]);
  const hasFailed = state === "failed" || (hasNoNonce && nonce === undefined);
  const retry = () => {
    if (nonce === undefined) void refetch();
    else setAttempt(attempt + 1);
  };

  return (
    <div className="min-w-0">
      <div
        ref={container}
        className={`min-h-11 justify-center overflow-x-clip ${hasFailed ? "hidden" : "flex"}`}
      />
      {hasFailed && (
        <p className="flex flex-wrap items-center justify-center gap-x-3 text-[0.9375rem] text-ink-soft">
          {t("account.google.unavailable")}
          <Button variant="plain" size="small" onClick={retry}>
            {t("account.google.again")}
          </Button>
        </p>
      )}
    </div>
  );
}

export function GoogleButton(props: GoogleButtonProps) {
  const { googleClientId } = settings;
  return googleClientId && <RenderedButton clientId={googleClientId} {...props} />;
}
