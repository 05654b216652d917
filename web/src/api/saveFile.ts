// Saves a file from the server as a download.

import { toApiError } from "./error.ts";
import { logFailure } from "./logFailure.ts";

/** The response to a call that is read as a file. */
interface FileReply {
  data?: Blob | undefined;
  error?: unknown;
  response: Response;
}

/** Downloads the file under the name that the server gave it, else as `fallbackName`. */
export function saveFile({ data, error, response }: FileReply, fallbackName: string): void {
  if (!response.ok || !data) {
    const failure = toApiError(error, response.status);
    logFailure(response.url, failure);
    throw failure;
  }
  const named = /filename="([^"/\\]+)"/.exec(response.headers.get("content-disposition") ?? "");
  const address = URL.createObjectURL(data);
  const link = document.createElement("a");
  link.href = address;
  link.download = named?.[1] ?? fallbackName;
  link.click();
  URL.revokeObjectURL(address);
}
