import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { session } from "@/api/client.ts";
import { renderAt, tokenUntil } from "@/testing/render.tsx";
import { PublishPage } from "./PublishPage.tsx";

const user = { _id: "u", firstName: "Kumari", lastName: "Silva", email: "k@example.lk", role: "supplier" };

/** The user's own tenders, the newest first. */
let mine: object[];

beforeEach(() => {
  window.localStorage.clear();
  window.scrollTo = () => undefined;
  session.write(tokenUntil(Date.now() / 1000 + 3600), "refresh");
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const { pathname } = new URL((input as Request).url);
    const data = pathname === "/api/auth/me" ? { user } : { items: mine };
    return Response.json({ success: true, data });
  });
});

const open = () =>
  renderAt(<PublishPage renderPreview={() => null} />, {
    at: "/supplier/add-tender",
    now: "2026-11-21T09:00:00+05:30",
  });

const draft = { _id: "d", status: "draft", organization: { name: "Typed", type: "private" } };

it("begins with the organisation and the place of the latest tender that is no draft", async () => {
  const contactPerson = { name: "R. Perera", email: "office@hospital.lk", phone: "0112345678" };
  const organization = { name: "Demo Hospital", type: "government", contactPerson };
  const location = { province: "North Western", district: "Kurunegala", city: "Kuliyapitiya" };
  mine = [draft, { _id: "p", status: "published", organization, location }];
  open();
  expect(await screen.findByLabelText("Organization name")).toHaveValue("Demo Hospital");
  expect(screen.getByLabelText(/Organization type/)).toHaveValue("government");
  expect(screen.getByLabelText(/Contact person/)).toHaveValue("R. Perera");
  expect(screen.getByLabelText(/Contact e-mail/)).toHaveValue("office@hospital.lk");
  expect(screen.getByText(/^The organisation, its contact and its place are those/)).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Dates and places" }));
  expect(screen.getByLabelText("District")).toHaveValue("Kurunegala");
  expect(screen.getByLabelText(/^City/)).toHaveValue("Kuliyapitiya");
});

it("begins with the account if there are only drafts", async () => {
  mine = [draft];
  open();
  expect(await screen.findByLabelText(/Contact person/)).toHaveValue("Kumari Silva");
  expect(screen.getByLabelText(/Organization type/)).toHaveValue("private");
  expect(screen.queryByText(/^The organisation, its contact/)).toBeNull();
});
