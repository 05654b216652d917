// The typed client of the API. It adds the bearer token and renews it in time, sends the page's
// language, limits the time of each call, and turns every unsuccessful response into an
// [`ApiError`].

import createClient from "openapi-fetch";
import { currentLanguage } from "@/i18n/i18n.ts";
import { toApiError } from "./error.ts";
import { logFailure } from "./logFailure.ts";
import type { paths } from "./schema.gen.ts";
import { SessionStore } from "./session.ts";
import { settings } from "./settings.ts";
import { oneTabAtATime, TokenRenewal } from "./tokenRenewal.ts";

const TIME_LIMIT_MS = 30_000;
/** The time limit for the export of an account, which may be large. */
const EXPORT_TIME_LIMIT_MS = 5 * 60_000;

/**
 * Calls that start or end a session, or need none. They do not wait for a renewal, and a 401
 * response to them does not end the session.
 */
const SESSION_CALLS = [
  "GET /health",
  "POST /auth/login",
  "POST /auth/google",
  "POST /auth/second-factor",
  "POST /auth/register",
  "POST /auth/refresh",
  "POST /auth/logout",
];

function isSessionCall({ method, url }: Request): boolean {
  const { pathname } = new URL(url);
  return SESSION_CALLS.some((call) => {
    const [verb, path] = call.split(" ");
    return method === verb && pathname.endsWith(path ?? "");
  });
}

/**
 * Whether the call requests the current user. If the app had a session before such a call, a 401
 * response to it is not reported as a denial.
 */
function isCurrentUserCall({ method, url }: Request): boolean {
  return method === "GET" && new URL(url).pathname.endsWith("/auth/me");
}

/** The session of this browser. */
export const session = new SessionStore(window.localStorage);

async function exchangeRefreshToken(refreshToken: string) {
  const response = await fetch(`${settings.apiBase}/auth/refresh`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ refreshToken }),
    signal: AbortSignal.timeout(TIME_LIMIT_MS),
  });
  if (response.status >= 500 || response.status === 429) throw toApiError(null, response.status);
  if (!response.ok) return null;
  const { data } = (await response.json()) as { data: { token: string; refreshToken: string } };
  return data;
}

const renewal = new TokenRenewal(session, exchangeRefreshToken, oneTabAtATime(navigator.locks), () =>
  Date.now(),
);

/** The session's token, renewed if it is about to expire; `null` for a guest. */
export const freshToken = () => renewal.freshToken();

function send(request: Request, token: string | null): Promise<Response> {
  const limit = request.url.endsWith("/auth/export") ? EXPORT_TIME_LIMIT_MS : TIME_LIMIT_MS;
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(limit)]);
  const attempt = new Request(request.clone(), { signal });
  attempt.headers.set("accept-language", currentLanguage());
  if (token) attempt.headers.set("authorization", `Bearer ${token}`);
  return fetch(attempt);
}

/**
 * Sends a call with the session's token. If the server refuses the token, repeats the call with a
 * new token, or as a guest if the session has ended, because many calls are public.
 */
async function sendAuthorized(request: Request): Promise<Response> {
  if (isSessionCall(request)) return send(request, session.read()?.token ?? null);
  const wasSignedIn = session.read() !== null;
  const token = await renewal.freshToken();
  const first = await send(request, token);
  if (first.status !== 401) return first;
  const renewed = token && (await renewal.replaceRefused(token));
  const response = token ? await send(request, renewed) : first;
  const isDenied = response.status === 401 && !renewed;
  if (isDenied && !(wasSignedIn && isCurrentUserCall(request))) session.announce("unauthorized");
  return response;
}

/** The `fetch` that the client uses. */
async function authorizedFetch(request: Request): Promise<Response> {
  try {
    return await sendAuthorized(request);
  } catch (error) {
    logFailure(request.url, error);
    throw error;
  }
}

/** The typed client. Wrap each call in [`call`]. */
export const api = createClient<paths>({ baseUrl: settings.apiBase, fetch: authorizedFetch });

interface Reply<Body> {
  data?: Body | undefined;
  error?: unknown;
  response: Response;
}

/**
 * Waits for a response and returns its envelope's `data`; nothing if the response has no body by its
 * status. Throws an [`ApiError`] for an unsuccessful response.
 */
export async function call<Data>(reply: Promise<Reply<{ data: Data }>>): Promise<Data> {
  let settled: Reply<{ data: Data }>;
  try {
    settled = await reply;
  } catch (error) {
    // The body of a successful response is not JSON, for example a proxy's page.
    if (error instanceof SyntaxError) throw toApiError(null, 502);
    throw error;
  }
  const { data: body, error, response } = settled;
  if (response.ok && body !== undefined) return body.data;
  // Some calls only report that they succeeded. Their type has no data.
  if (response.status === 204) return undefined as Data;
  const failure = toApiError(error, response.status, response.headers.get("retry-after"));
  logFailure(response.url, failure);
  throw failure;
}
