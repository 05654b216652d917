// Uploads a file with XMLHttpRequest, because `fetch` reports no progress. The envelope and errors
// are handled as for every other call, but an upload with a refused token is not repeated.

import { currentLanguage } from "@/i18n/i18n.ts";
import { freshToken, session } from "./client.ts";
import { toApiError } from "./error.ts";
import { logFailure } from "./logFailure.ts";
import { settings } from "./settings.ts";

interface UploadOptions {
  /** Called with the fraction of the file that was sent, from 0 to 1. */
  onProgress?: (fraction: number) => void;
  signal?: AbortSignal;
  /** Further fields of the form. */
  fields?: Readonly<Record<string, string>>;
}

/**
 * Sends a file as the form field `file` and returns the envelope's `data`. There is no time limit,
 * because connections may be slow.
 */
export async function upload<Data>(
  path: string,
  file: File,
  { onProgress, signal, fields = {} }: UploadOptions = {},
): Promise<Data> {
  const token = await freshToken();
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append("file", file, file.name);
  const request = new XMLHttpRequest();
  const address = `${settings.apiBase}${path}`;
  return new Promise((resolve, rejected) => {
    const reject = (failure: Error) => {
      logFailure(address, failure);
      rejected(failure);
    };
    request.open("POST", address);
    request.setRequestHeader("accept-language", currentLanguage());
    if (token) request.setRequestHeader("authorization", `Bearer ${token}`);
    request.upload.onprogress = ({ loaded, total, lengthComputable }) => {
      if (lengthComputable && total > 0) onProgress?.(loaded / total);
    };
    request.onload = () => {
      const body = parseJson(request.responseText);
      const isDone = request.status >= 200 && request.status < 300 && body !== null;
      if (request.status === 401) session.announce("unauthorized");
      if (isDone) resolve((body as { data: Data }).data);
      else reject(toApiError(body, request.status));
    };
    request.onerror = () => reject(new TypeError("The connection was lost"));
    request.onabort = () => reject(new DOMException("The upload was cancelled", "AbortError"));
    signal?.addEventListener("abort", () => request.abort(), { once: true });
    request.send(form);
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
