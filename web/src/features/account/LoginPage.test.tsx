import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { renderAt } from "@/testing/render.tsx";
import { Component as LoginPage } from "./LoginPage.tsx";

it("asks for both fields before it sends anything", async () => {
  const send = vi.spyOn(globalThis, "fetch");
  renderAt(<LoginPage />);
  await userEvent.type(screen.getByLabelText("E-mail"), "  ");
  await userEvent.click(screen.getByRole("button", { name: "Sign in" }));
  expect(screen.getByRole("alert")).toHaveTextContent("Please fill in all fields");
  expect(screen.getByLabelText("E-mail")).toBeInvalid();
  expect(screen.getByLabelText("Password")).toBeInvalid();
  expect(send).not.toHaveBeenCalled();
});

it("fills in the address it was asked to remember", () => {
  window.localStorage.setItem("remembered_email", "kumari@example.lk");
  renderAt(<LoginPage />);
  expect(screen.getByLabelText("E-mail")).toHaveValue("kumari@example.lk");
});
