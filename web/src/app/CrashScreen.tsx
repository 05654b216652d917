// The screen for errors that nothing else handles. It imports as little as possible, so that it
// works in spite of an error elsewhere.

import { Component, type ErrorInfo, type ReactNode, useEffect } from "react";
import { useRouteError } from "react-router";
import { useTranslation } from "@/i18n/i18n.ts";
import { ChunkLoadError } from "@/shared/lazyChunk.ts";
import { paths } from "@/shared/paths.ts";

function CrashScreen({ reason = "crash" }: { reason?: "crash" | "unloaded" }) {
  const { t } = useTranslation();
  const button = "inline-flex min-h-11 items-center rounded-lg px-5 font-semibold";
  return (
    <main className="grid min-h-dvh place-items-center px-6 text-center">
      <div role="alert">
        <h1 className="text-2xl font-bold tracking-tight">{t(`shell.${reason}.title`)}</h1>
        <p className="mt-2 max-w-[44ch] text-ink-soft">{t(`shell.${reason}.text`)}</p>
        <div className="mt-6 flex flex-wrap justify-center gap-3">
          <button
            type="button"
            className={`${button} bg-accent text-on-accent hover:bg-accent-deep`}
            onClick={() => window.location.reload()}
          >
            {t("shell.tryAgain")}
          </button>
          {/* A plain link loads the app again, so nothing of the crashed app remains. */}
          <a href={paths.home} className={`${button} border border-edge bg-sheet hover:border-accent`}>
            {t("shell.goHome")}
          </a>
        </div>
      </div>
    </main>
  );
}

/** The crash screen for errors inside a route. */
export function RouteCrash() {
  const error = useRouteError();
  useEffect(() => console.error(error), [error]);
  return <CrashScreen reason={error instanceof ChunkLoadError ? "unloaded" : "crash"} />;
}

/** Catches errors outside the routes. */
export class CrashBoundary extends Component<{ children: ReactNode }, { crashed: boolean }> {
  override state = { crashed: false };

  static getDerivedStateFromError() {
    return { crashed: true };
  }

  override componentDidCatch(error: Error, info: ErrorInfo) {
    console.error(error, info.componentStack);
  }

  override render() {
    return this.state.crashed ? <CrashScreen /> : this.props.children;
  }
}
