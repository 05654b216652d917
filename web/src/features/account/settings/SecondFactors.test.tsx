import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import type { User } from "@/api/types.ts";
import { renderAt } from "@/testing/render.tsx";
import { SecondFactors } from "./SecondFactors.tsx";

const FACTORS = {
  totpSince: "2026-11-20T12:00:00+05:30",
  passkeys: [],
  recoveryCodesLeft: 3,
  offersPasskeys: false,
};

/** The bodies of the requests for new recovery codes. */
let sent: unknown[];

beforeEach(() => {
  sent = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const request = input as Request;
    const json = (data: object) =>
      new Response(JSON.stringify({ success: true, data }), {
        headers: { "content-type": "application/json" },
      });
    if (!request.url.endsWith("/auth/recovery-codes")) return json(FACTORS);
    sent.push(await request.json());
    return json({ recoveryCodes: ["2345-6789"] });
  });
});

it.each([true, false])(
  "signs out the other devices with a change if the user wants it (%s)",
  async (wanted) => {
    renderAt(<SecondFactors user={{ hasPassword: true } as User} />);
    await userEvent.click(await screen.findByRole("button", { name: "Make new codes" }));
    const choice = screen.getByRole("checkbox", { name: "Sign out my other devices" });
    expect(choice).toBeChecked();
    if (!wanted) await userEvent.click(choice);
    await userEvent.type(screen.getByLabelText("Your password"), "secret-of-theirs");
    await userEvent.click(screen.getAllByRole("button", { name: "Make new codes" }).at(-1) as HTMLElement);
    await waitFor(() => expect(sent).toEqual([{ password: "secret-of-theirs", endOtherSessions: wanted }]));
    expect(await screen.findByText("2345-6789")).toBeInTheDocument();
  },
);
