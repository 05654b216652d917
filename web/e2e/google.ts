// Simulates Google. A local issuer signs ID tokens and publishes its key. A stub of Google's
// sign-in script has the functions that the app uses.

import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { BrowserContext, Locator, Page } from "@playwright/test";

/** The portal's client id at Google. */
export const CLIENT_ID = "portal.apps.test";

const KEY_ID = "e2e";

function generateKey(): string {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

/** The private key. The runner creates it, and its workers read it from the environment. */
const pem = process.env.E2E_GOOGLE_KEY ?? generateKey();
process.env.E2E_GOOGLE_KEY = pem;
const key: KeyObject = createPrivateKey(pem);

/** Starts a server that publishes the public key, as Google does. */
export async function publishKey(): Promise<{ server: Server; url: string }> {
  const published = {
    ...createPublicKey(key).export({ format: "jwk" }),
    kid: KEY_ID,
    use: "sig",
    alg: "RS256",
  };
  const server = createServer((_, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ keys: [published] }));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/certs` };
}

/** Creates the ID token that Google gives the browser of a signed-in user. */
type Credential = (nonce: string) => string;

/** The ID token for this address, with the nonce of the page. */
export const credentialOf =
  (email: string, claims: Record<string, unknown> = {}): Credential =>
  (nonce) =>
    signToken(email, { nonce, ...claims });

function signToken(email: string, claims: Record<string, unknown>): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const now = Math.floor(Date.now() / 1000);
  const payload = {
    iss: "https://accounts.google.com",
    aud: CLIENT_ID,
    sub: email.replace(/\W/g, ""),
    email,
    email_verified: true,
    given_name: "Malini",
    family_name: "Dias",
    iat: now,
    exp: now + 3600,
    ...claims,
  };
  const signed = `${part({ alg: "RS256", typ: "JWT", kid: KEY_ID })}.${part(payload)}`;
  return `${signed}.${sign("RSA-SHA256", Buffer.from(signed), key).toString("base64url")}`;
}

/** A script whose button returns the page's `googleAnswer` instead of opening a window. */
const SCRIPT_STUB = `
  let configuration;
  window.google = { accounts: { id: {
    initialize(given) {
      configuration = given;
      window.googleNonce = given.nonce;
    },
    renderButton(parent, { text, width, click_listener: listener }) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = text === "continue_with" ? "Continue with Google" : text;
      button.style.cssText = "height: 40px; border: 1px solid #747775; border-radius: 4px; background: #fff; color: #1f1f1f; width: " + width + "px";
      button.onclick = () => {
        listener?.();
        window.usedGoogleNonce = configuration.nonce;
        configuration.callback(window.googleAnswer ?? {});
      };
      parent.append(button);
    },
  } } };
`;

/**
 * Replaces Google's sign-in script with a stub. All other addresses of that host are blocked.
 */
export async function stubGoogle(context: BrowserContext): Promise<void> {
  await context.route("https://accounts.google.com/**", (route) =>
    route.request().url() === "https://accounts.google.com/gsi/client"
      ? route.fulfill({ contentType: "text/javascript", body: SCRIPT_STUB })
      : route.abort(),
  );
}

/**
 * Signs in with the Google button in `part`. Without a credential, the stub acts as if the user
 * closed Google's window.
 */
export async function continueWithGoogle(page: Page, credential?: Credential, part: Page | Locator = page) {
  const button = part.getByRole("button", { name: "Continue with Google" });
  await button.waitFor();
  // After each answer, the page gets another nonce.
  const fresh = await page.waitForFunction(() => {
    const { googleNonce, usedGoogleNonce } = window as { googleNonce?: string; usedGoogleNonce?: string };
    return googleNonce !== usedGoogleNonce && googleNonce;
  });
  const nonce = String(await fresh.jsonValue());
  await page.evaluate((given) => {
    Object.assign(window, { googleAnswer: given ? { credential: given } : {} });
  }, credential?.(nonce));
  await button.click();
}
