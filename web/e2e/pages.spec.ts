// The server responds with 404 to addresses that are not in its list of pages. This test reports
// the pages of the app that the list lacks.

import { paths } from "../src/shared/paths.ts";
import { expect, test } from "./fixtures.ts";

test("the server knows every page of the app", async ({ request }) => {
  const addresses = Object.values(paths).filter((path) => typeof path === "string");
  const unknown: string[] = [];
  for (const address of [...addresses, paths.invoice("x"), paths.editTender("x")]) {
    const response = await request.get(address);
    if (!response.ok()) unknown.push(`${address} (${response.status()})`);
  }
  expect(unknown).toEqual([]);
});
