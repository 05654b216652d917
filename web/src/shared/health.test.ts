import { expect, it } from "vitest";
import { ApiError } from "@/api/error.ts";
import { healthState } from "./health.ts";

const services = { search: true, matching: true, mail: true };
const well = { database: true, services };
const offline = new TypeError("Failed to fetch");

it.each([
  ["checking", true, undefined, null],
  ["connected", true, well, null],
  ["connected", false, well, null],
  ["api-error", true, { database: false, services }, null],
  ["api-error", true, undefined, new ApiError("HTTP error! status: 500", 500)],
  ["backend-offline", true, well, offline],
  ["no-internet", false, well, offline],
  ["no-internet", false, undefined, null],
] as const)("is %s", (state, online, data, error) => {
  expect(healthState(online, data, error)).toBe(state);
});
