// Asks before the user leaves a form with unsaved changes.

import { useEffect } from "react";
import { type Blocker, useBlocker } from "react-router";
import { session } from "@/api/client.ts";

/** `isUnsaved` is called when the user leaves. */
export function useUnsavedWarning(isUnsaved: () => boolean): Blocker {
  // After a sign-out, the app leaves the page without asking. The browser keeps the input.
  const blocker = useBlocker(() => isUnsaved() && session.read() !== null);
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (isUnsaved()) event.preventDefault();
    };
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [isUnsaved]);
  return blocker;
}
