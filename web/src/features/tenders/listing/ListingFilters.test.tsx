import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import type { Facets } from "@/api/types.ts";
import { noFilters } from "@/shared/tender/filters.ts";
import { ALL_DISTRICTS } from "@/shared/tender/vocabulary.ts";
import { renderAt } from "@/testing/render.tsx";
import { FilterButton } from "./ListingFilters.tsx";

const counted = (name: string, count: number) => ({ _id: name, name, count });

/** Eight districts have tenders, the last one of the vocabulary the most. */
const districts = ALL_DISTRICTS.map((name, index) => counted(name, Math.max(0, index - 16)));

const facets = {
  sectors: [],
  categories: [counted("Vehicles", 3)],
  kinds: [counted("purchase", 5)],
  organizationTypes: [],
  organizations: [],
  provinces: [],
  districts,
  cities: [],
  grades: [counted("C6", 1)],
  priorities: [],
  languages: [],
  publications: [],
  statuses: [],
  unknownValue: 0,
  total: 9,
} as Facets;

// jsdom does not open dialogs.
beforeEach(() => {
  const dialog = HTMLDialogElement.prototype;
  dialog.showModal = vi.fn(function (this: HTMLDialogElement) {
    this.open = true;
  });
  dialog.close = vi.fn();
});

async function openDrawer(permitted: boolean, chosen: string[]) {
  vi.spyOn(globalThis, "fetch").mockImplementation(async () =>
    Response.json({ success: true, data: facets }),
  );
  const filters = { ...noFilters, advanced: { districts: chosen } };
  const change = vi.fn();
  renderAt(
    <FilterButton
      {...{ filters, facets, permitted }}
      total={9}
      hasCompany={false}
      onCount={() => undefined}
      onChange={change}
    />,
  );
  await userEvent.click(screen.getByRole("button", { name: /^Filters/ }));
  return { drawer: within(await screen.findByRole("dialog")), change };
}

it("shows the districts with the most tenders and the chosen one, then all", async () => {
  const { drawer, change } = await openDrawer(false, ["Kandy"]);
  const group = within(drawer.getByRole("group", { name: "District" }));
  const names = () => group.getAllByRole("checkbox").map((box) => box.closest("label")?.textContent);
  const frequent = ALL_DISTRICTS.slice(-7).toReversed();
  expect(names()).toEqual([...frequent.map((name, index) => `${name} ${8 - index}`), "Kandy 0"]);
  expect(group.getByRole("checkbox", { name: "Kandy 0" })).toBeChecked();
  await userEvent.click(group.getByRole("button", { name: "17 more" }));
  expect(names()).toHaveLength(25);
  await userEvent.click(group.getByRole("checkbox", { name: "Galle 0" }));
  expect(change).toHaveBeenCalledWith(
    expect.objectContaining({ advanced: { districts: ["Kandy", "Galle"] }, page: 1 }),
  );
});

it("has closing, kind and grade before the districts for readers with the advanced search", async () => {
  const { drawer } = await openDrawer(true, ["Kandy"]);
  await drawer.findByRole("group", { name: "District" });
  const groups = drawer.getAllByRole("group").map((group) => group.querySelector("legend")?.textContent);
  const places = ["Closing", "Kind of notice", "CIDA grade", "District"].map((name) => groups.indexOf(name));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  expect(drawer.getByRole("checkbox", { name: /^Kandy/ })).toBeChecked();
});
