import { expect, it } from "vitest";
import { parseUserAgent } from "./userAgent.ts";

it.each([
  ["Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/130.0.0.0 Safari/537.36", "Chrome", "Linux"],
  [
    "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36",
    "Chrome",
    "Android",
  ],
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1", "Safari", "iPhone"],
  ["Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/130.0 Safari/537.36 Edg/130.0", "Edge", "Windows"],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:132.0) Gecko/20100101 Firefox/132.0", "Firefox", "Mac"],
  ["curl/8.5.0", null, null],
  [null, null, null],
])("finds the browser and the system in %s", (agent, browser, system) => {
  expect(parseUserAgent(agent)).toEqual({ browser, system });
});
