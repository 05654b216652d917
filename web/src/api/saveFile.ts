// Saves a file from the server as a download.

import { toApiError } from "./error.ts";
import { logFailure } from "./logFailure.ts";

/** The response to a call for a file. */
interface FileReply {
  data?: Blob | undefined;
  error?: unknown;
  response: Response;
}

/**
 * Saves the file of a response under the server's name for it, else as `fallbackName`. Throws an
 * [`ApiError`] for an unsuccessful response.
 */
export function saveFile({ data, error, response }: FileReply, fallbackName: string): void {
  if (!response.ok || !data) {
    const failure = toApiError(error, response.status);
    logFailure(response.url, failure);
    throw failure;
  }
  const named = /filename="([^"/\\]+)"/.exec(response.headers.get("content-disposition") ?? "");
  saveBlob(data, named?.[1] ?? fallbackName);
}

/** Saves data as a file of this name. */
export function saveBlob(data: Blob, name: string): void {
  const address = URL.createObjectURL(data);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
