import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { renderAt } from "@/testing/render.tsx";
import { FilterPanel } from "./FilterPanel.tsx";
import { noFilters } from "./filters.ts";

const empty = {
  sectors: [],
  categories: [],
  kinds: [],
  organizationTypes: [],
  organizations: [],
  provinces: [],
  districts: [],
  cities: [],
  grades: [],
  priorities: [],
  languages: [],
  publications: [],
  statuses: [],
  unknownValue: 0,
  total: 60,
};

async function openOrganizations(count: number) {
  const organizations = Array.from({ length: count }, (_, index) => {
    const name = `Council ${index}`;
    return { _id: name, name, count: 60 - index };
  });
  vi.spyOn(globalThis, "fetch").mockImplementation(async () =>
    Response.json({ success: true, data: { ...empty, organizations } }),
  );
  const result = renderAt(<FilterPanel filters={noFilters} onChange={() => undefined} />);
  const group = within(await screen.findByRole("group", { name: "Organisation" }));
  await userEvent.click(group.getByRole("button", { name: /more$/ }));
  return { group, ...result };
}

const NOTE = "Only the 20 most frequent are listed. To find another one, search for its name.";

it("says that the server sends only the most frequent organisations", async () => {
  const { group, unmount } = await openOrganizations(20);
  expect(group.getAllByRole("checkbox")).toHaveLength(20);
  expect(group.getByText(NOTE)).toBeInTheDocument();
  unmount();
  const few = await openOrganizations(19);
  expect(few.group.getAllByRole("checkbox")).toHaveLength(19);
  expect(few.group.queryByText(NOTE)).toBeNull();
});
