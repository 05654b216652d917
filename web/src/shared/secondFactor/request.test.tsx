import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { ApiError } from "@/api/error.ts";
import { renderAt } from "@/testing/render.tsx";
import { withSecondFactor } from "./request.ts";
import { SecondFactorPrompt } from "./SecondFactorPrompt.tsx";

const CHALLENGE = { challenge: "c", acceptsTotp: true, passkeyOptions: null };

/** The bodies of the proofs that were sent to the portal. */
let proofs: unknown[];
/** How often the change was sent. */
let changes: number;
let isProved: boolean;

/** A change that the server refuses until the second factor is proved. */
async function change(): Promise<string> {
  changes += 1;
  if (isProved) return "changed";
  const message = "Confirm this change with your second factor";
  throw new ApiError(message, 422, undefined, [{ field: "secondFactor", message }]);
}

beforeEach(() => {
  [proofs, changes, isProved] = [[], 0, false];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const request = input as Request;
    const json = (status: number, body: object) =>
      new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
    if (request.url.endsWith("/challenge")) return json(200, { success: true, data: CHALLENGE });
    const proof = (await request.json()) as { code?: string };
    proofs.push(proof);
    isProved = proof.code === "123456";
    return isProved
      ? json(200, { success: true, data: {} })
      : json(422, {
          success: false,
          message: "Wrong code",
          errors: [{ field: "code", message: "Wrong code" }],
        });
  });
});

it("asks for the second factor and repeats the change", async () => {
  renderAt(<SecondFactorPrompt />);
  const changed = withSecondFactor(change);
  const code = await screen.findByLabelText("Code");
  await userEvent.type(code, "000000");
  await userEvent.click(screen.getByRole("button", { name: "Confirm" }));
  expect(await screen.findByText("Wrong code")).toBeInTheDocument();
  await userEvent.clear(code);
  await userEvent.type(code, "123456");
  await userEvent.click(screen.getByRole("button", { name: "Confirm" }));
  expect(await changed).toBe("changed");
  expect([proofs.length, changes]).toEqual([2, 2]);
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
});

it("gives up the change if the user cancels", async () => {
  renderAt(<SecondFactorPrompt />);
  const changed = withSecondFactor(change);
  const refused = expect(changed).rejects.toThrow("Confirm this change with your second factor");
  await userEvent.click(await screen.findByRole("button", { name: "Cancel" }));
  await refused;
  expect(changes).toBe(1);
});

it("passes on other errors, and a refusal on a page without the dialog", async () => {
  const other = new ApiError("Wrong password", 422, undefined, [{ field: "password", message: "Wrong" }]);
  await expect(withSecondFactor(() => Promise.reject(other))).rejects.toBe(other);
  await expect(withSecondFactor(change)).rejects.toThrow("Confirm this change");
});
