import { expect, it } from "vitest";
import { shortTitles } from "./shortTitles.ts";

const staff = "Re-roofing and Colour Washing of Staff Quarters,";

it("shows the end of titles that begin alike, with some words before it", () => {
  const short = shortTitles([`${staff} Poonakary`, `${staff} Weerabugedara`, "Painting of a school"]);
  expect([...short]).toEqual([
    [`${staff} Poonakary`, "… Staff Quarters, Poonakary"],
    [`${staff} Weerabugedara`, "… Staff Quarters, Weerabugedara"],
  ]);
  const places = ["Poonakary", "Weerabugedara"].map((place) => `${staff.slice(0, -1)} at ${place}`);
  expect(shortTitles(places).get(places[0] ?? "")).toBe("… Staff Quarters at Poonakary");
});

it("leaves titles alone that differ soon, or not at all", () => {
  const titles = ["Painting of the school in Galle", "Painting of the hospital in Galle"];
  expect(shortTitles([...titles, ...titles]).size).toBe(0);
  // Only the organisations tell these apart.
  expect(shortTitles([`${staff} Poonakary`, `${staff} Poonakary`.toUpperCase()]).size).toBe(0);
});

it("knows the beginning in capitals, and a title that goes on where another one ends", () => {
  const [first, second] = [`${staff} Galle`, `${staff} Galle, Stage II`];
  expect([...shortTitles([first, second.toUpperCase()]).values()]).toEqual([
    "… Staff Quarters, Galle",
    "… Staff Quarters, Galle, Stage II",
  ]);
});

it("takes the longest common beginning of several titles", () => {
  const titles = [`${staff} Galle Fort`, `${staff} Galle Town`, `${staff} Matara`];
  expect([...shortTitles(titles).values()]).toEqual([
    "… Quarters, Galle Fort",
    "… Quarters, Galle Town",
    "… Staff Quarters, Matara",
  ]);
});
