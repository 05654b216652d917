import { expect, it } from "vitest";
import { readSettings } from "./settings.ts";

function pageWith(settings: string): Document {
  const page = document.implementation.createHTMLDocument();
  page.body.innerHTML = `<script type="application/json" id="settings">${settings}</script>`;
  return page;
}

const unsetCompany = {
  companyName: null,
  companyAddress: null,
  companyPhone: null,
  contactEmail: null,
  contactPhone: null,
  contactAddress: null,
  enterpriseContact: null,
};

it("reads the server's settings and ignores malformed fields", () => {
  const written =
    '{"apiBase":"https://api.example/v1/","googleClientId":"abc","payments":"stripe","company":{"companyName":"Ours","companyPhone":7}}';
  expect(readSettings(pageWith(written))).toEqual({
    apiBase: "https://api.example/v1",
    googleClientId: "abc",
    payments: "stripe",
    company: { ...unsetCompany, companyName: "Ours" },
  });
});

it.each(["", "{", "null", "[]", '{"apiBase":3,"googleClientId":""}'])(
  "uses the defaults for %j",
  (settings) => {
    expect(readSettings(pageWith(settings))).toEqual({
      apiBase: "/api",
      googleClientId: null,
      payments: null,
      company: unsetCompany,
    });
  },
);

it("uses the defaults without the element", () => {
  expect(readSettings(document.implementation.createHTMLDocument()).apiBase).toBe("/api");
});
