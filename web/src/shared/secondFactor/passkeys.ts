// Passkeys: the calls to the browser's WebAuthn interface.

type CreationOptions = Parameters<typeof PublicKeyCredential.parseCreationOptionsFromJSON>[0];
type RequestOptions = Parameters<typeof PublicKeyCredential.parseRequestOptionsFromJSON>[0];
type Json = Record<string, unknown>;

/** Whether this browser can read the server's options for passkeys. */
export const supportsPasskeys = () =>
  typeof PublicKeyCredential !== "undefined" && "parseCreationOptionsFromJSON" in PublicKeyCredential;

/** Thrown if the user closes the browser's dialog, or if the device has no passkey that fits. */
export class PasskeyCancelled extends Error {}

async function ask(request: Promise<Credential | null>): Promise<Json> {
  let credential: Credential | null;
  try {
    credential = await request;
  } catch (error) {
    throw new PasskeyCancelled("the browser returned no passkey", { cause: error });
  }
  if (!(credential instanceof PublicKeyCredential)) throw new PasskeyCancelled("no passkey");
  return credential.toJSON() as Json;
}

/** Creates a passkey with the server's options. Returns the answer for the server. */
export const createPasskey = (options: Json) =>
  ask(
    navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options as unknown as CreationOptions),
    }),
  );

/** Signs the server's challenge with a passkey. Returns the answer for the server. */
export const answerWithPasskey = (options: Json) =>
  ask(
    navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options as unknown as RequestOptions),
    }),
  );
