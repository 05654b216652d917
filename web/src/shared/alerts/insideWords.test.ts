import { expect, it } from "vitest";
import { enclosingWord, wordsAround } from "./insideWords.ts";

const passage = (before: string, hit: string, after: string) => ({ before, hit, after });

it("finds the word inside which a hit lies", () => {
  expect(enclosingWord(passage("a written request and p", "roof", " of payment."))?.word).toBe("proof");
  expect(enclosingWord(passage("Painting and Waterp", "roof", "ing of the Quarters"))).toEqual({
    head: "Waterp",
    tail: "ing",
    word: "Waterproofing",
  });
  // A vowel sign belongs to the letter before it, and a joiner to its cluster.
  expect(enclosingWord(passage("අලුත් පා", "ලම", "ක්"))?.word).toBe("පාලමක්");
  expect(enclosingWord(passage("ශ්‍ර", "ම", ""))?.word).toBe("ශ්‍රම");
});

it("takes a hit at the start of a word as what was asked for", () => {
  expect(enclosingWord(passage("Re-", "roof", "ing of the Quarters"))).toBeNull();
  expect(enclosingWord(passage("", "Roof", "s"))).toBeNull();
  expect(enclosingWord(passage("Repair of the ", "Roof", ""))).toBeNull();
});

it("names the most frequent words around a keyword that may stand anywhere", () => {
  const match = (keyword: string, before: string, after = "") => ({
    _id: before,
    title: "",
    organization: "",
    fieldStates: {},
    keyword,
    passage: passage(before, keyword, after),
  });
  const matches = [
    match("roof", "Waterp", "ing"),
    match("roof", "and p"),
    match("roof", "P"),
    match("roof", "bullet", "s"),
    match("roof", "Re-", "ing"),
    match("road", "ab"),
    { ...match("roof", "p"), passage: null },
  ];
  expect(wordsAround({ term: " roof ", matchType: "contains" }, matches)).toEqual(["proof", "waterproofing"]);
  for (const matchType of ["exact", "starts_with", "ends_with"] as const) {
    expect(wordsAround({ term: "roof", matchType }, matches)).toEqual([]);
  }
  expect(wordsAround({ term: "roofs", matchType: "contains" }, matches)).toEqual([]);
});
