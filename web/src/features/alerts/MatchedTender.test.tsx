import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { renderAt } from "@/testing/render.tsx";
import type { FoundTender } from "./api.ts";
import { MatchedTender } from "./MatchedTender.tsx";

const match: FoundTender = {
  _id: "t",
  title: "Re-roofing of Staff Quarters, Poonakary",
  organization: "Ports Authority",
  fieldStates: {},
  keyword: "staff",
};

/** Shows a match with its keyword in these words. */
const open = (before: string, hit: string, after: string) =>
  renderAt(<MatchedTender match={{ ...match, passage: { before, hit, after } }} />);

it("leaves out a passage that repeats the title", () => {
  open("RE-ROOFING OF ", "STAFF", " QUARTERS , POONAKARY.");
  expect(screen.getByRole("link", { name: match.title })).toBeInTheDocument();
  expect(screen.queryByText("STAFF")).toBeNull();
});

it("shows a passage that says more than the title", () => {
  open("the ", "staff", " quarters at Jaffna Road");
  expect(screen.getByText("staff").closest("p")).toHaveTextContent("the staff quarters at Jaffna Road");
});

it("tells that the keyword lies inside a word of the title", () => {
  open("Re-roofing of Staff Quar", "ter", "s, Poonakary");
  expect(screen.getByText("Inside the word “Quarters”")).toBeInTheDocument();
});
