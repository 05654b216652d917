import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import type { User } from "@/api/types.ts";
import { SecondFactorPrompt } from "@/shared/secondFactor/SecondFactorPrompt.tsx";
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

it("asks for the second factor if another one was set up before the app is confirmed", async () => {
  let isProved = false;
  const confirmations: unknown[] = [];
  vi.mocked(globalThis.fetch).mockImplementation(async (input) => {
    const request = input as Request;
    const json = (status: number, body: object) =>
      new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
    const data = (found: object) => json(200, { success: true, data: found });
    switch (`${request.method} ${new URL(request.url).pathname.replace("/api/auth", "")}`) {
      case "GET /second-factors":
        return data({ ...FACTORS, totpSince: null });
      case "POST /totp":
        return data({ secret: "ABCD", url: "otpauth://totp/x" });
      case "POST /second-factor/challenge":
        return data({ challenge: "c", acceptsTotp: true, passkeyOptions: null });
      case "PUT /second-factor":
        isProved = true;
        return data({});
      default: {
        confirmations.push(await request.json());
        const message = "Confirm this change with your second factor";
        const errors = [{ field: "secondFactor", message }];
        return isProved ? data({ recoveryCodes: [] }) : json(422, { success: false, message, errors });
      }
    }
  });
  renderAt(
    <>
      <SecondFactors user={{ hasPassword: true } as User} />
      <SecondFactorPrompt />
    </>,
  );
  await userEvent.click(await screen.findByRole("button", { name: "Set up" }));
  await userEvent.type(screen.getByLabelText("Your password"), "secret-of-theirs");
  await userEvent.click(screen.getByRole("button", { name: "Continue" }));
  await userEvent.type(await screen.findByLabelText(/Code/), "111111{Enter}");
  const prompt = within(await screen.findByRole("dialog", { name: "Confirm that it is you" }));
  await userEvent.type(await prompt.findByLabelText("Code"), "222222");
  await userEvent.click(prompt.getByRole("button", { name: "Confirm" }));
  await waitFor(() => expect(confirmations).toHaveLength(2));
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
});
