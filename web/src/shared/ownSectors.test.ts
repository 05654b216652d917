import { expect, it } from "vitest";
import { ownSectors } from "./ownSectors.ts";

it("takes the sectors of the registrations, each once", () => {
  expect(ownSectors({})).toEqual([]);
  const contractsAct = [
    { sector: "Works", category: "Buildings" },
    { sector: "Goods", category: "Computers" },
  ];
  const cida = [{ grade: "C5", field: "Building construction" }];
  expect(ownSectors({ cida })).toEqual(["construction", "upkeep"]);
  expect(ownSectors({ cida, contractsAct })).toEqual(["construction", "upkeep", "supply", "it"]);
  expect(ownSectors({ contractsAct: [{ sector: "Consultancy services", category: "" }] })).toEqual([
    "consultancy",
    "services",
  ]);
});
