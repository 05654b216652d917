import { afterEach, expect, it } from "vitest";
import { readAnswers } from "./answers.ts";

afterEach(() => document.getElementById("answers")?.remove());

function page(text: string): Document {
  const element = document.createElement("script");
  element.type = "application/json";
  element.id = "answers";
  element.textContent = text;
  document.body.append(element);
  return document;
}

it("reads what came with the page", () => {
  expect(readAnswers(page('{"at":7,"stats":{"totalTenders":3}}'))).toEqual({
    at: 7,
    stats: { totalTenders: 3 },
  });
});

it.each(["", "{", "null", "7", "[]", '{"at":"soon"}'])("takes rubbish for nothing: %s", (text) => {
  expect(readAnswers(page(text))).toBeNull();
});

it("finds nothing where nothing came", () => {
  expect(readAnswers(document)).toBeNull();
});
