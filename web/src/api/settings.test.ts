import { expect, it } from "vitest";
import { readSettings } from "./settings.ts";

function pageWith(settings: string): Document {
  const page = document.implementation.createHTMLDocument();
  page.body.innerHTML = `<script type="application/json" id="settings">${settings}</script>`;
  return page;
}

it("reads what the server wrote", () => {
  expect(readSettings(pageWith('{"apiBase":"https://api.example/v1/","googleClientId":"abc"}'))).toEqual({
    apiBase: "https://api.example/v1",
    googleClientId: "abc",
  });
});

it.each(["", "{", "null", "[]", '{"apiBase":3,"googleClientId":""}'])(
  "takes its defaults for %j",
  (settings) => {
    expect(readSettings(pageWith(settings))).toEqual({ apiBase: "/api", googleClientId: null });
  },
);

it("takes its defaults without the element", () => {
  expect(readSettings(document.implementation.createHTMLDocument()).apiBase).toBe("/api");
});
