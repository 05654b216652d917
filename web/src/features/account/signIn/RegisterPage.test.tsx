import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { renderAt } from "@/testing/render.tsx";
import { Component as RegisterPage } from "./RegisterPage.tsx";

const submit = () => userEvent.click(screen.getByRole("button", { name: "Create account" }));
const type = (label: RegExp | string, text: string) => userEvent.type(screen.getByLabelText(label), text);
const message = () => screen.getByRole("alert");

it("reports missing and wrong fields in order", async () => {
  const send = vi.spyOn(globalThis, "fetch");
  renderAt(<RegisterPage />);

  await submit();
  expect(message()).toHaveTextContent("Please fill in all required fields");
  expect(screen.getByLabelText("First name")).toHaveAccessibleDescription(/Enter your first name/);
  expect(screen.getByLabelText("First name")).toHaveFocus();
  expect(screen.getByLabelText("Repeat the password")).toHaveAccessibleDescription(/Repeat the password/);
  expect(screen.getByLabelText(/I agree/)).toBeInvalid();

  await type("First name", "Kumari");
  await type("Last name", "Silva");
  await type("E-mail", "kumari@example.lk");
  await type("Password", "short");
  await submit();
  expect(message()).toHaveTextContent("Passwords do not match");

  await type("Repeat the password", "short");
  await submit();
  expect(message()).toHaveTextContent("Password must be at least 6 characters long");

  await type("Password", "er");
  await type("Repeat the password", "er");
  await submit();
  expect(message()).toHaveTextContent("Please agree to the terms and conditions");
  expect(screen.getByLabelText(/I agree/)).toBeInvalid();

  expect(send).not.toHaveBeenCalled();
});

it("links the terms, in another tab, and the privacy notice", () => {
  renderAt(<RegisterPage />, { at: "/register" });
  const terms = screen.getByRole("link", { name: "terms and conditions" });
  expect(terms).toHaveAttribute("href", "/terms");
  expect(terms).toHaveAttribute("target", "_blank");
  expect(screen.getByRole("link", { name: "privacy notice" })).toHaveAttribute("href", "/privacy");
  expect(screen.getByRole("checkbox", { name: /I agree to the terms and conditions/ })).not.toBeChecked();
});

it("says what comes next and what it costs, and the rule of the password, before anything is sent", () => {
  renderAt(<RegisterPage />, { at: "/register" });
  expect(screen.getByText(/You are signed in at once/)).toBeVisible();
  expect(screen.getByText(/You start on the free plan, and no card is asked for/)).toBeVisible();
  expect(screen.getByText(/Alerts by e-mail need Professional or Enterprise/)).toBeVisible();
  const plans = screen.getByRole("link", { name: "Compare plans" });
  expect(plans).toHaveAttribute("href", "/pricing");
  expect(plans).toHaveAttribute("target", "_blank");
  expect(screen.getByLabelText("Password")).toHaveAccessibleDescription(/At least 6 characters/);
});

it("takes the role from the link and locks it", () => {
  renderAt(<RegisterPage />, { at: "/register?role=buyer" });
  expect(screen.getByRole("heading", { name: "Register as a buyer" })).toBeInTheDocument();
  expect(screen.getByRole("radio", { name: /Buyer/ })).toBeChecked();
  expect(screen.getByRole("radio", { name: /Supplier/ })).toBeDisabled();
});

it("ignores roles other than supplier and buyer in a link", async () => {
  renderAt(<RegisterPage />, { at: "/register?role=admin" });
  expect(screen.getByRole("heading", { name: "Create an account" })).toBeInTheDocument();
  expect(screen.getByRole("radio", { name: /Supplier/ })).toBeChecked();
  await userEvent.click(screen.getByRole("radio", { name: /Buyer/ }));
  await waitFor(() => expect(screen.getByRole("radio", { name: /Buyer/ })).toBeChecked());
});

it("says that the alert comes next, and carries it to the sign-in", () => {
  const target = "/alert-settings?search=road&new=1";
  renderAt(<RegisterPage />, { at: `/register?redirect=${encodeURIComponent(target)}` });
  expect(screen.getByText(/Your alert opens next/)).toBeVisible();
  expect(screen.getByRole("link", { name: "Sign in" })).toHaveAttribute(
    "href",
    `/login?redirect=${encodeURIComponent(target)}`,
  );
  expect(window.localStorage.getItem("intended_path")).toContain("search=road");
  window.localStorage.clear();
});

it.each(["https://evil.example/alert-settings?new=1", "//evil.example", "javascript:alert(1)"])(
  "ignores the redirect %j",
  (target) => {
    renderAt(<RegisterPage />, { at: `/register?redirect=${encodeURIComponent(target)}` });
    expect(screen.queryByText(/Your alert opens next/)).not.toBeInTheDocument();
    expect(screen.getByRole("link", { name: "Sign in" })).toHaveAttribute("href", "/login");
    expect(window.localStorage).toHaveLength(0);
  },
);
