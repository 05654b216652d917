import { afterEach, expect, it } from "vitest";
import { readPrerenderedResponses, readPrerenderedTender } from "./prerendered.ts";

afterEach(() => document.getElementById("answers")?.remove());

function page(text: string): Document {
  const element = document.createElement("script");
  element.type = "application/json";
  element.id = "answers";
  element.textContent = text;
  document.body.append(element);
  return document;
}

it("reads the responses in the page", () => {
  expect(readPrerenderedResponses(page('{"at":7,"stats":{"totalTenders":3}}'))).toEqual({
    at: 7,
    stats: { totalTenders: 3 },
  });
});

it.each(["", "{", "null", "7", "[]", '{"at":"soon"}'])("ignores malformed data: %s", (text) => {
  expect(readPrerenderedResponses(page(text))).toBeNull();
});

it("returns null if the page has no data", () => {
  expect(readPrerenderedResponses(document)).toBeNull();
});

it("reads the title, its language and two lines of a prerendered tender", () => {
  expect(readPrerenderedTender(document)).toBeNull();
  const page = document.implementation.createHTMLDocument();
  page.body.innerHTML =
    '<div id="root"><main class="first-page"><p><a href="/tenders">All tenders</a></p><article><h1 lang="si">Tyres</h1><p>Ports Authority</p><p>Closes Thu 26 Nov 2026</p><p>Summary</p></article></main></div>';
  expect(readPrerenderedTender(page)).toEqual({
    title: "Tyres",
    language: "si",
    lines: ["Ports Authority", "Closes Thu 26 Nov 2026"],
  });
});
