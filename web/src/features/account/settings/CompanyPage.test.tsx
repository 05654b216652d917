import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { session } from "@/api/client.ts";
import { renderAt, tokenUntil } from "@/testing/render.tsx";
import { Component as CompanyPage } from "./CompanyPage.tsx";

const user = {
  _id: "1",
  firstName: "Kumari",
  lastName: "Silva",
  email: "k@example.lk",
  role: "supplier",
  subscription: { plan: "free", features: {} },
};
/** The company's name in the profile of the user. */
let name: string | null;
const company = { cida: [{ grade: "C5", field: "Building construction" }], experienceYears: 12 };

beforeEach(() => {
  name = "Silva Builders";
  session.write(tokenUntil(Date.now() / 1000 + 3600), "refresh");
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const { pathname } = new URL((input as Request).url);
    const data =
      pathname === "/api/auth/me"
        ? { user: { ...user, company: name } }
        : { company, version: 1, updatedAt: null };
    return new Response(JSON.stringify({ success: true, data }), {
      headers: { "content-type": "application/json" },
    });
  });
});

const heading = (name: string) => screen.findByRole("button", { name });

it("folds what is filled in to a line, and opens what is empty", async () => {
  renderAt(<CompanyPage />, { at: "/account/company" });
  expect(await heading("CIDA registrations")).toHaveAttribute("aria-expanded", "false");
  expect(screen.getByText("C5 Building construction")).toBeVisible();
  expect(screen.getByLabelText("Field of work")).not.toBeVisible();
  expect(await heading("Documents at hand")).toHaveAttribute("aria-expanded", "true");
  await userEvent.click(await heading("CIDA registrations"));
  expect(screen.getByLabelText("Field of work")).toBeVisible();
});

it("opens the section that the address names", async () => {
  renderAt(<CompanyPage />, { at: "/account/company#capacity" });
  expect(await heading("Experience and capacity")).toHaveAttribute("aria-expanded", "true");
});

it("opens a section that has an error", async () => {
  renderAt(<CompanyPage />, { at: "/account/company" });
  const capacity = await heading("Experience and capacity");
  await userEvent.click(capacity);
  const years = screen.getByRole("textbox", { name: /^Years of experience/ });
  await userEvent.clear(years);
  await userEvent.type(years, "twelve");
  await userEvent.click(capacity);
  expect(capacity).toHaveAttribute("aria-expanded", "false");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(capacity).toHaveAttribute("aria-expanded", "true"));
  const section = within(screen.getByRole("region", { name: "Experience and capacity" }));
  expect(section.getByText(/Please enter a number/)).toBeVisible();
});

it("groups the digits of an amount while it is typed", async () => {
  renderAt(<CompanyPage />, { at: "/account/company#capacity" });
  const limit = await screen.findByRole("textbox", { name: /bank/i });
  await userEvent.type(limit, "84000000");
  expect(limit).toHaveValue("84,000,000");
});

it("names the company, and leads to where its name is changed", async () => {
  renderAt(<CompanyPage />, { at: "/account/company" });
  const line = await screen.findByText(/^Company: Silva Builders/);
  expect(within(line).getByRole("link", { name: "Change the name" })).toHaveAttribute("href", "/account");
});

it("asks for the name of a company without one", async () => {
  name = null;
  renderAt(<CompanyPage />, { at: "/account/company" });
  const line = await screen.findByText(/^Your profile does not name your company yet/);
  expect(within(line).getByRole("link", { name: "Enter the name" })).toHaveAttribute("href", "/account");
});

it("names the fields in which the company works by its registrations", async () => {
  renderAt(<CompanyPage />, { at: "/account/company" });
  expect(
    await screen.findByText("Fields, from your registrations: Construction, Upkeep"),
  ).toBeInTheDocument();
});
