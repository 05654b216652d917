// Repeats a change of the account after the user has proved the second factor, if the server asks for
// it. The page of the change shows the dialog of `SecondFactorPrompt.tsx`.

import { ApiError } from "@/api/error.ts";

/** A change that waits for the proof. */
export interface SecondFactorRequest {
  /** Continues the change. */
  proved: () => void;
  /** Gives up the change. */
  cancel: () => void;
}

let waiting: { request: SecondFactorRequest; done: Promise<void> } | null = null;
const listeners = new Set<() => void>();

function setWaiting(next: typeof waiting): void {
  waiting = next;
  for (const listener of listeners) listener();
}

/** Waits for the proof. Rejects with `refusal` if the user gives up. */
function askForProof(refusal: unknown): Promise<void> {
  if (waiting) return waiting.done;
  let request: SecondFactorRequest | undefined;
  const done = new Promise<void>((resolve, reject) => {
    const end = (act: () => void) => () => {
      setWaiting(null);
      act();
    };
    request = { proved: end(resolve), cancel: end(() => reject(refusal)) };
  });
  if (request) setWaiting({ request, done });
  return done;
}

const isProofMissing = (error: unknown): boolean =>
  error instanceof ApiError && error.errors.some(({ field }) => field === "secondFactor");

/** Sends a change. If the server asks for the second factor, asks the user and sends it again. */
export async function withSecondFactor<Result>(send: () => Promise<Result>): Promise<Result> {
  try {
    return await send();
  } catch (error) {
    // Without a dialog on the page, nobody could answer.
    if (!isProofMissing(error) || listeners.size === 0) throw error;
    await askForProof(error);
    return send();
  }
}

/** The change that waits for the second factor. `null`: no change waits. */
export const secondFactorRequest = (): SecondFactorRequest | null => waiting?.request ?? null;

/** Calls `listener` when a change begins or ends to wait. Returns the unsubscribe function. */
export function onSecondFactorRequest(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
