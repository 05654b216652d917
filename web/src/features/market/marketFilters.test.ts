import { expect, it } from "vitest";
import { paths } from "@/shared/paths.ts";
import { marketPath, readMarketFilters } from "./marketFilters.ts";

const none = new URLSearchParams();

it.each([
  [{}, "/market"],
  [{ district: "Nuwara Eliya" }, "/market/districts/nuwara-eliya"],
  [{ sector: "it" }, "/market/sectors/it"],
  [{ grade: "C5" }, "/market?grade=C5"],
  [{ district: "Galle", sector: "it", grade: "C5" }, "/market?district=Galle&sector=it&grade=C5"],
] as const)("writes and reads %j", (filters, path) => {
  expect(marketPath(filters)).toBe(path);
  const url = new URL(path, "http://x");
  const [, , kind, slug] = url.pathname.split("/");
  const part = kind === "districts" ? { district: slug } : kind === "sectors" ? { sector: slug } : {};
  expect(readMarketFilters(part, url.searchParams)).toEqual(filters);
});

it("knows no other districts and sectors", () => {
  expect(readMarketFilters({ district: "atlantis" }, none)).toBeNull();
  expect(readMarketFilters({ sector: "all" }, none)).toBeNull();
  expect(readMarketFilters({}, new URLSearchParams("grade=C77&district=x"))).toEqual({});
});

it("leads to a body by the words of its name", () => {
  expect(paths.buyerNamed("Road  Development/Authority (RDA)")).toBe(
    "/buyers/road-development-authority-rda",
  );
  expect(paths.buyerNamed("Ministry of Health & Nutrition")).toBe("/buyers/ministry-of-health-and-nutrition");
  expect(decodeURIComponent(paths.buyerNamed("නගර සභාව"))).toBe("/buyers/නගර-සභාව");
});
