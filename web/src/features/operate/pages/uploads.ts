// The files that are being uploaded. They stay here, so that uploads continue while the user opens
// other pages of the app.

import { useSyncExternalStore } from "react";
import { ApiError, messageOf } from "@/api/error.ts";
import type { NewspaperPage, UploadedPages } from "@/api/types.ts";
import { upload } from "@/api/upload.ts";
import { type Issue, issueOfPath } from "./issue.ts";

/** The file types in the file chooser. The server checks the content. */
export const ACCEPTED_TYPES = ".pdf,.jpg,.jpeg,.png,.tif,.tiff";
/** The maximum size of a file. The server refuses larger files. */
export const MAX_FILE_BYTES = 100 * 1024 * 1024;
/** The maximum number of simultaneous uploads. */
const MAX_CONCURRENT = 2;

/** A file to upload. `path` contains the folders from which it comes. */
export interface ChosenFile {
  file: File;
  path: string;
}

/** An upload. A file that was sent leaves the list, because its pages appear in the list of pages. */
export interface Upload {
  key: string;
  name: string;
  file: File;
  issue: Issue;
  /**
   * `waiting`, the sent fraction from 0 to 1, the first page of the known file with this content, or
   * the reason of a failure.
   */
  state:
    | { kind: "waiting" }
    | { kind: "sending"; part: number }
    | { kind: "known"; page: NewspaperPage | undefined }
    | Failure;
}

interface Failure {
  kind: "failed";
  /** The reason; `null` if the file is too large. */
  error: unknown;
}

let uploads: readonly Upload[] = [];
const listeners = new Set<() => void>();

function set(next: readonly Upload[]) {
  uploads = next;
  for (const listener of listeners) listener();
}

function update(key: string, state: Upload["state"]) {
  set(uploads.map((one) => (one.key === key ? { ...one, state } : one)));
}

/** The current uploads. */
export function useUploads(): readonly Upload[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => uploads,
  );
}

/**
 * Uploads files. The given issue takes precedence over the issue in the path of a file. `onSent` is
 * called after each file.
 */
export function addUploads(files: readonly ChosenFile[], given: Issue, onSent: () => void) {
  const added = files.map(({ file, path }): Upload => {
    const found = issueOfPath(path);
    const issue = { publication: given.publication || found.publication, date: given.date || found.date };
    const state: Upload["state"] =
      file.size > MAX_FILE_BYTES ? { kind: "failed", error: null } : { kind: "waiting" };
    return { key: crypto.randomUUID(), name: file.name, file, issue, state };
  });
  set([...uploads, ...added]);
  sendNext(onSent);
}

/** Removes an upload that is not being sent. */
export function removeUpload(key: string) {
  set(uploads.filter((one) => one.key !== key || one.state.kind === "sending"));
}

/** Sends a failed upload again. */
export function retryUpload(key: string, onSent: () => void) {
  update(key, { kind: "waiting" });
  sendNext(onSent);
}

function sendNext(onSent: () => void) {
  const running = uploads.filter(({ state }) => state.kind === "sending").length;
  const waiting = uploads.filter(({ state }) => state.kind === "waiting");
  for (const one of waiting.slice(0, Math.max(0, MAX_CONCURRENT - running))) void send(one, onSent);
}

async function send({ key, file, issue }: Upload, onSent: () => void) {
  update(key, { kind: "sending", part: 0 });
  try {
    const fields = {
      ...(issue.publication && { publication: issue.publication }),
      ...(issue.date && { date: issue.date }),
    };
    const onProgress = (part: number) => update(key, { kind: "sending", part });
    const { isNew, pages } = await upload<UploadedPages>("/operate/pages", file, { onProgress, fields });
    if (isNew) set(uploads.filter((one) => one.key !== key));
    else update(key, { kind: "known", page: pages[0] });
    onSent();
  } catch (error) {
    update(key, { kind: "failed", error });
  }
  sendNext(onSent);
}

/** Whether a failed upload may succeed later: the server did not refuse the file. */
export const mayRetry = ({ error }: Failure) =>
  error !== null && !(error instanceof ApiError && error.isRefusal && error.status !== 401);

/** The message of a failed upload. */
export function failureOf({ error }: Failure, tooLarge: string, fallback: string): string {
  return error === null ? tooLarge : messageOf(error, fallback);
}
