import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { renderAt, tokenUntil } from "@/testing/render.tsx";
import { Component as LoginPage } from "./LoginPage.tsx";

it("marks both fields and sends nothing while both are blank", async () => {
  const send = vi.spyOn(globalThis, "fetch");
  renderAt(<LoginPage />);
  await userEvent.type(screen.getByLabelText("E-mail"), "  ");
  await userEvent.click(screen.getByRole("button", { name: "Sign in" }));
  expect(screen.getByRole("alert")).toHaveTextContent("Please fill in all fields");
  expect(screen.getByLabelText("E-mail")).toBeInvalid();
  expect(screen.getByLabelText("Password")).toBeInvalid();
  expect(send).not.toHaveBeenCalled();
});

it.each([true, false])("sends whether to remember the session (%s)", async (remember) => {
  const sent: unknown[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const request = input as Request;
    if (!request.url.endsWith("/auth/login")) return new Response("{}", { status: 404 });
    sent.push(await request.json());
    const data = { token: tokenUntil(4_000_000_000), refreshToken: "r", user: { role: "buyer" } };
    return new Response(JSON.stringify({ success: true, data }), {
      headers: { "content-type": "application/json" },
    });
  });
  renderAt(<LoginPage />);
  await userEvent.type(screen.getByLabelText("E-mail"), " kumari@example.lk ");
  await userEvent.type(screen.getByLabelText("Password"), "secret");
  const box = screen.getByRole("checkbox", { name: "Remember me" });
  expect(box).not.toBeChecked();
  expect(box).toHaveAccessibleDescription("For 30 days in this browser; otherwise until you close it.");
  if (remember) await userEvent.click(box);
  await userEvent.click(screen.getByRole("button", { name: "Sign in" }));
  await waitFor(() => expect(sent).toEqual([{ email: "kumari@example.lk", password: "secret", remember }]));
  await waitFor(() => expect(window.localStorage.getItem("refresh_token")).toBe("r"));
  expect(document.cookie).toBe(remember ? "" : "browser_open=1");
});
