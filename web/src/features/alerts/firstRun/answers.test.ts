import { expect, it } from "vitest";
import { alertSchema } from "../form.ts";
import { prefilledAlert } from "../prefill.ts";
import {
  alertFrom,
  alertPathFrom,
  answersOf,
  companyWith,
  isAnswered,
  noAnswers,
  searchesFrom,
} from "./answers.ts";

const answers = {
  ...noAnswers,
  sectors: ["construction" as const],
  works: ["road" as const],
  words: [" culvert "],
  districts: ["Galle" as const, "Matara" as const],
  grades: [{ grade: "C5", field: "Highway construction" }],
};

it("makes an alert that can be saved, and the same one by its address", () => {
  const alert = alertFrom(answers, "x".repeat(200));
  expect(alertSchema.safeParse(alert).success).toBe(true);
  expect(alert).toMatchObject({
    keywords: [
      { term: "road", matchType: "contains" },
      { term: "culvert", matchType: "contains" },
    ],
    categories: ["construction"],
    districts: ["Galle", "Matara"],
  });
  const address = new URL(alertPathFrom(answers), "http://here.invalid");
  expect(prefilledAlert(address.searchParams)).toMatchObject({
    keywords: alert.keywords,
    categories: alert.categories,
    districts: alert.districts,
  });
});

it("takes the usual words of a sector if none is chosen, and leaves out those of other sectors", () => {
  expect(isAnswered(noAnswers)).toBe(false);
  const alert = alertFrom({ ...noAnswers, sectors: ["it"], works: ["road"] }, "IT");
  expect(alert.keywords.map(({ term }) => term)).toEqual(["computer", "software", "network"]);
});

it("keeps at most twenty keywords, with those of other languages last", () => {
  const offered = Array.from({ length: 30 }, (_, nth) => ({
    term: `w${nth}`,
    matchType: "contains" as const,
  }));
  const { keywords } = alertFrom({ ...answers, offered }, "Roads");
  expect(keywords).toHaveLength(20);
  expect(keywords[2]?.term).toBe("w0");
});

it("saves the closest search that the plan permits", () => {
  expect(searchesFrom(answers)).toEqual([
    "districts=Galle%7CMatara&category=construction",
    "category=construction",
  ]);
  expect(searchesFrom({ ...noAnswers, works: ["road"] })).toEqual(["search=road"]);
});

it("adds to the company profile without taking anything away or repeating it", () => {
  const company = {
    vat: "1",
    districts: ["Kandy" as const],
    cida: [{ grade: "C5", field: "Highway construction", expires: "2027-01-01" }],
  };
  const grades = [...answers.grades, { grade: "EM2", field: " Wiring " }, { grade: "C3", field: " " }];
  expect(companyWith(company, { ...answers, grades })).toEqual({
    vat: "1",
    districts: ["Kandy", "Galle", "Matara"],
    cida: [...company.cida, { grade: "EM2", field: "Wiring" }],
  });
});

it("begins with what the company profile has", () => {
  const cida = [{ grade: "C5", field: "Buildings", expires: "2027-01-01" }];
  expect(answersOf({ cida, districts: ["Kandy"] })).toEqual({
    ...noAnswers,
    sectors: ["construction", "upkeep"],
    districts: ["Kandy"],
    grades: [{ grade: "C5", field: "Buildings" }],
  });
  expect(answersOf({})).toEqual(noAnswers);
});
