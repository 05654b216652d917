// Access to Google Identity Services. Google's script is loaded when the sign-in button is first
// shown. Responses are passed to the button that was pressed.

/** Google's response. A failed sign-in has no credential. */
export interface GoogleResponse {
  credential?: string;
}

interface ButtonOptions {
  type: "standard";
  theme: "outline" | "filled_black";
  size: "large";
  text: "continue_with";
  shape: "rectangular";
  width: number;
  locale: string;
  click_listener: () => void;
}

/** The part of `google.accounts.id` that the portal uses, as Google's reference describes it. */
interface GoogleIdentity {
  initialize(configuration: {
    client_id: string;
    /** Google puts it into the ID token. */
    nonce: string;
    callback: (answer: GoogleResponse) => void;
  }): void;
  renderButton(parent: HTMLElement, options: ButtonOptions): void;
}

declare global {
  interface Window {
    google?: { accounts?: { id?: GoogleIdentity } };
  }
}

const SCRIPT_URL = "https://accounts.google.com/gsi/client";

const LOAD_TIMEOUT_MS = 15_000;

let loading: Promise<GoogleIdentity> | null = null;

type Receiver = (answer: GoogleResponse) => void;

/** One receiver per visible button, because Google accepts only one callback for the whole page. */
const receivers: Receiver[] = [];
let pressed: Receiver | undefined;

/**
 * Passes the response to the button that was pressed last. If that button is gone, the newest
 * visible button gets the response.
 */
function handleResponse(answer: GoogleResponse): void {
  const receiver = receivers.find((shown) => shown === pressed) ?? receivers.at(-1);
  receiver?.(answer);
}

function loadScript(): Promise<GoogleIdentity> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    const end = (act: () => void) => {
      window.clearTimeout(timer);
      act();
    };
    const fail = () => {
      script.remove();
      reject(new Error("Google's script could not be loaded"));
    };
    const timer = window.setTimeout(fail, LOAD_TIMEOUT_MS);
    script.src = SCRIPT_URL;
    script.async = true;
    script.onerror = () => end(fail);
    script.onload = () => {
      const found = window.google?.accounts?.id;
      end(found ? () => resolve(found) : fail);
    };
    document.head.append(script);
  });
}

/** Loads Google's API once. After a failure, the next call tries again. */
async function load(): Promise<GoogleIdentity> {
  const present = window.google?.accounts?.id;
  if (present) return present;
  loading ??= loadScript().catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

/** Loads Google's API. Buttons that are drawn afterwards ask for a token with this nonce. */
export async function loadGoogleIdentity(clientId: string, nonce: string): Promise<GoogleIdentity> {
  const google = await load();
  google.initialize({ client_id: clientId, nonce, callback: handleResponse });
  return google;
}

/** Registers the receiver of a visible button. The returned function removes it again. */
export function receiveFromGoogle(receiver: Receiver): () => void {
  receivers.push(receiver);
  return () => {
    receivers.splice(receivers.indexOf(receiver), 1);
  };
}

/** Marks the button of `receiver` as pressed, so that `receiver` gets the next response. */
export function markPressed(receiver: Receiver | undefined): void {
  pressed = receiver;
}
