import { screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { settings } from "@/api/settings.ts";
import { renderAt } from "@/testing/render.tsx";
import { Component as ContactPage } from "./ContactPage.tsx";

const unset = { ...settings.company };

afterEach(() => void Object.assign(settings.company, unset));

it("shows every contact that is set", () => {
  Object.assign(settings.company, {
    companyName: "Ours (Pvt) Ltd",
    contactEmail: "help@example.lk",
    contactPhone: "+94 11 234 5678",
    contactAddress: "1 Galle Road, Colombo 3",
    enterpriseContact: "sales@example.lk",
  });
  renderAt(<ContactPage />);
  expect(screen.getByText("Company").nextSibling).toHaveTextContent(/^Ours \(Pvt\) Ltd$/);
  expect(screen.getByText("Postal address").nextSibling).toHaveTextContent("1 Galle Road, Colombo 3");
  const link = (name: string) => screen.getByRole("link", { name });
  expect(link("help@example.lk")).toHaveAttribute("href", "mailto:help@example.lk");
  expect(link("+94 11 234 5678")).toHaveAttribute("href", "tel:+94112345678");
  expect(link("sales@example.lk")).toHaveAttribute("href", "mailto:sales@example.lk");
});

it("shows no empty block for unset contacts, and an Enterprise contact without a link as plain text", () => {
  settings.company.enterpriseContact = "Ms Silva, after nine";
  renderAt(<ContactPage />);
  expect(screen.queryByText("Telephone")).not.toBeInTheDocument();
  expect(screen.queryByText("Postal address")).not.toBeInTheDocument();
  expect(screen.getByText("Ms Silva, after nine")).toBeInTheDocument();
  for (const detail of screen.getAllByRole("definition")) expect(detail).not.toBeEmptyDOMElement();
});

it("publishes the area and the languages of support as structured data", async () => {
  vi.spyOn(console, "warn").mockReturnValue();
  renderAt(<ContactPage />);
  await waitFor(() => {
    const data = document.querySelector('script[type="application/ld+json"]')?.textContent ?? "{}";
    expect(JSON.parse(data).mainEntity.contactPoint).toMatchObject({
      areaServed: "LK",
      availableLanguage: ["en", "si"],
    });
  });
});
