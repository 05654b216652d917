// The one door to the network: a typed client over the generated contract. It adds the bearer token, renews it in time, asks
// in the page's language, bounds each call in time, and turns every reply that is no success into an [`ApiError`].

import createClient from "openapi-fetch";
import { currentLanguage } from "@/i18n/i18n.ts";
import { toApiError } from "./error.ts";
import { logFailure } from "./logFailure.ts";
import type { paths } from "./schema.gen.ts";
import { SessionStore } from "./session.ts";
import { settings } from "./settings.ts";
import { oneTabAtATime, TokenRenewal } from "./tokenRenewal.ts";

const TIME_LIMIT_MS = 30_000;
/** For a file, which may be large. */
const FILE_TIME_LIMIT_MS = 5 * 60_000;

/** Calls that make or end a session, or need none: they neither wait for a renewal nor end a session by a 401. */
const SESSION_CALLS = [
  "GET /health",
  "POST /auth/login",
  "POST /auth/google",
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

/** Whether a call asks only who is there: whoever is nobody any more was denied nothing by its answer. */
function isCurrentUserCall({ method, url }: Request): boolean {
  return method === "GET" && new URL(url).pathname.endsWith("/auth/me");
}

/** This browser's session. */
export const session = new SessionStore(window.localStorage);

async function exchange(refreshToken: string) {
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

const renewal = new TokenRenewal(session, exchange, oneTabAtATime(navigator.locks), () => Date.now());

/** The session's token, renewed where it is about to end; `null` for a guest. */
export const freshToken = () => renewal.freshToken();

function send(request: Request, token: string | null): Promise<Response> {
  const limit = request.url.endsWith("/auth/export") ? FILE_TIME_LIMIT_MS : TIME_LIMIT_MS;
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(limit)]);
  const attempt = new Request(request.clone(), { signal });
  attempt.headers.set("accept-language", currentLanguage());
  if (token) attempt.headers.set("authorization", `Bearer ${token}`);
  return fetch(attempt);
}

/** With the session's token, and once more with a new one when the first is refused. */
async function sendAuthorized(request: Request): Promise<Response> {
  if (isSessionCall(request)) return send(request, session.read()?.token ?? null);
  const wasSignedIn = session.read() !== null;
  const token = await renewal.freshToken();
  const first = await send(request, token);
  if (first.status !== 401) return first;
  // With a new token, or as the guest that this browser now is: much can be read by anyone.
  const renewed = token && (await renewal.replaceRefused(token));
  const response = token ? await send(request, renewed) : first;
  const isDenied = response.status === 401 && !renewed;
  if (isDenied && !(wasSignedIn && isCurrentUserCall(request))) session.announce("unauthorized");
  return response;
}

/** `fetch` for the API. */
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

/** Waits for a reply and gives its envelope's `data`; throws an [`ApiError`] for anything but success. */
export async function call<Data>(reply: Promise<Reply<{ data: Data }>>): Promise<Data> {
  let answered: Reply<{ data: Data }>;
  try {
    answered = await reply;
  } catch (error) {
    // A success whose body is no JSON: a proxy's page, a cut connection.
    if (error instanceof SyntaxError) throw toApiError(null, 502);
    throw error;
  }
  const { data: body, error, response } = answered;
  if (response.ok && body !== undefined) return body.data;
  const failure = toApiError(error, response.status);
  logFailure(response.url, failure);
  throw failure;
}
