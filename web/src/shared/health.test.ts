import { expect, it } from "vitest";
import { ApiError } from "@/api/error.ts";
import { healthState } from "./health.ts";

const services = {
  search: true,
  matching: true,
  mail: true,
  storage: true,
  canary: true,
  signingKey: true,
  sendingOff: false,
};
const healthy = { database: true, services };
const offline = new TypeError("Failed to fetch");

it.each([
  ["checking", true, undefined, null],
  ["connected", true, healthy, null],
  ["connected", false, healthy, null],
  ["api-error", true, { database: false, services }, null],
  ["api-error", true, undefined, new ApiError("HTTP error! status: 500", 500)],
  ["backend-offline", true, healthy, offline],
  ["no-internet", false, healthy, offline],
  ["no-internet", false, undefined, null],
] as const)("returns %s", (state, online, data, error) => {
  expect(healthState(online, data, error)).toBe(state);
});
