// Files that the portal makes, handed to the browser to be kept.

import { toApiError } from "./error.ts";
import { logFailure } from "./logFailure.ts";

/** What a call answered that was asked to be read as a file. */
interface FileAnswer {
  data?: Blob | undefined;
  error?: unknown;
  response: Response;
}

/** Hands the file to the browser under the name that the portal gave it. */
export function saveFile({ data, error, response }: FileAnswer, otherwise: string): void {
  if (!response.ok || !data) {
    const failure = toApiError(error, response.status);
    logFailure(response.url, failure);
    throw failure;
  }
  const named = /filename="([^"/\\]+)"/.exec(response.headers.get("content-disposition") ?? "");
  const address = URL.createObjectURL(data);
  const link = document.createElement("a");
  link.href = address;
  link.download = named?.[1] ?? otherwise;
  link.click();
  URL.revokeObjectURL(address);
}
