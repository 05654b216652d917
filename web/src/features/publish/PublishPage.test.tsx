import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { session } from "@/api/client.ts";
import { upload } from "@/api/upload.ts";
import { renderAt, tokenUntil } from "@/testing/render.tsx";
import { Component as PublishPage } from "./PublishPage.tsx";

vi.mock("@/api/upload.ts", () => ({ upload: vi.fn() }));

const user = {
  _id: "01939999-0000-7000-8000-0000000000aa",
  firstName: "Kumari",
  lastName: "Silva",
  email: "kumari@example.lk",
  company: "Silva Supplies",
  role: "supplier",
};

/** The requests that create a tender, with their idempotency keys. */
let sent: { key: string | null; body: Record<string, unknown> }[];
/** The requests that edit a tender. */
let edited: { path: string; body: Record<string, unknown> }[];
/** The idempotency keys for which the server has created a tender. */
let createdKeys: Set<string>;
/** Whether the response is lost after the server has created the tender. */
let losesResponse: boolean;
/** The response with which the server rejects requests. */
let refusal: { status: number; body: unknown } | null;

beforeEach(() => {
  sent = [];
  edited = [];
  createdKeys = new Set();
  losesResponse = false;
  refusal = null;
  session.write(tokenUntil(Date.now() / 1000 + 3600), "refresh");
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const request = input as Request;
    const { pathname } = new URL(request.url);
    const reply = (data: unknown, status = 200) =>
      new Response(JSON.stringify(data), { status, headers: { "content-type": "application/json" } });
    if (pathname === "/api/auth/me") return reply({ success: true, data: { user } });
    const tender = { success: true, data: { tender: { _id: "1", title: "Chairs", status: "draft" } } };
    if (request.method === "PUT") {
      edited.push({ path: pathname, body: await request.json() });
      return refusal ? reply(refusal.body, refusal.status) : reply(tender);
    }
    if (request.method !== "POST") return reply({ success: false, message: "Not found" }, 404);
    const key = request.headers.get("idempotency-key");
    sent.push({ key, body: await request.json() });
    if (key && createdKeys.has(key)) return reply(tender, 200);
    if (refusal) return reply(refusal.body, refusal.status);
    createdKeys.add(key ?? "");
    if (losesResponse) throw new TypeError("Failed to fetch");
    return reply(tender, 201);
  });
});

const field = (name: RegExp | string) => screen.getByLabelText(name);
const press = (name: string) => userEvent.click(screen.getByRole("button", { name }));
const open = async () => {
  const page = renderAt(<PublishPage />, { at: "/supplier/add-tender", now: "2026-11-21T09:00:00+05:30" });
  await screen.findByRole("heading", { name: "Add a tender" });
  return page;
};

it("prefills the form from the account", async () => {
  await open();
  expect(field("Organization name")).toHaveValue("Silva Supplies");
  expect(field(/Contact person/)).toHaveValue("Kumari Silva");
  expect(field(/^Published/)).toHaveValue("2026-11-21");
  expect(field(/Organization type/)).toHaveValue("private");
});

it("reports and focuses the first missing field, and marks a later one", async () => {
  await open();
  await press("Publish Tender");
  expect(screen.getByRole("alert")).toHaveTextContent("Title is required");
  expect(field("Title")).toHaveFocus();
  expect(field("Closing date")).toHaveAccessibleDescription(/Closing date is required/);
  expect(sent).toEqual([]);
});

it("clears each error when its field is corrected, and reports the next", async () => {
  await open();
  await press("Publish Tender");
  const write = (name: string, value: string) => fireEvent.change(field(name), { target: { value } });
  write("Title", "Chairs");
  expect(field("Title")).toBeValid();
  expect(screen.queryByText("Title is required")).not.toBeInTheDocument();
  expect(screen.getByRole("alert")).toHaveTextContent("Description is required");
  write("Closing date", "2026-11-20");
  expect(field("Closing date")).toHaveAccessibleDescription(/Closing date must be in the future/);
  write("Closing date", "2026-12-20");
  expect(field("Closing date")).toBeValid();
});

it("clears a server error when its field is changed", async () => {
  await open();
  await userEvent.type(field("Title"), "Chairs");
  const message = "Invalid email address";
  const errors = [{ field: "organization.contactPerson.email", message }];
  refusal = { status: 422, body: { success: false, message, errors } };
  await press("Save as Draft");
  expect(await screen.findByRole("alert")).toHaveTextContent(message);
  await userEvent.type(field("Title"), " of wood");
  expect(field(/Contact e-mail/)).toBeInvalid();
  await userEvent.type(field(/Contact e-mail/), "x");
  expect(field(/Contact e-mail/)).toBeValid();
  expect(screen.queryByText(message)).not.toBeInTheDocument();
});

/** Fills in all required fields. */
const fill = () => {
  for (const [name, value] of [
    ["Title", "Chairs"],
    ["Description", "Of wood"],
    ["Reference number", "FW/1"],
    ["Category", "Furniture"],
    ["Province", "Uva"],
    ["District", "Badulla"],
    ["Closing date", "2026-12-20"],
  ] as const) {
    fireEvent.change(field(name), { target: { value } });
  }
};

it("publishes a new tender only after its documents are uploaded", async () => {
  const steps: string[] = [];
  vi.mocked(upload).mockImplementation(async (path) => {
    steps.push(`${sent.length} sent, ${edited.length} edited, ${path}`);
    return { document: { _id: "d", name: "plan.pdf", type: "application/pdf", size: 4 } };
  });
  const { router } = await open();
  fill();
  await userEvent.upload(field("Choose files"), new File(["%PDF"], "plan.pdf"));
  await press("Publish Tender");
  await waitFor(() => expect(router.state.location.pathname).toBe("/supplier/dashboard"));
  expect(sent[0]?.body.status).toBe("draft");
  expect(steps).toEqual(["1 sent, 0 edited, /tenders/1/documents"]);
  expect(edited).toMatchObject([{ path: "/api/tenders/1", body: { status: "published" } }]);
});

it("leaves the new tender a draft if a document fails to upload", async () => {
  vi.mocked(upload).mockRejectedValue(new TypeError("The connection was lost"));
  const { router } = await open();
  fill();
  await userEvent.upload(field("Choose files"), new File(["%PDF"], "plan.pdf"));
  await press("Publish Tender");
  await waitFor(() => expect(router.state.location.pathname).toBe("/supplier/tenders/1/edit"));
  expect(sent[0]?.body.status).toBe("draft");
  expect(edited).toEqual([]);
});

it("saves an incomplete draft with its lists", async () => {
  const { router } = await open();
  await userEvent.type(field("Title"), "Chairs");
  await userEvent.type(field(/^Tags/), "school{Enter}school{Enter} {Enter}wood{Enter}");
  const tags = screen.getByRole("list", { name: "Tags" });
  expect(within(tags).getAllByRole("listitem")).toHaveLength(2);
  await press("Remove school");
  await press("Save as Draft");
  await waitFor(() => expect(router.state.location.pathname).toBe("/supplier/dashboard"));
  expect(sent[0]?.body).toMatchObject({ title: "Chairs", status: "draft", tags: ["wood"] });
  expect(sent[0]?.key).toMatch(/^[0-9a-f-]{36}$/);
});

it("disables the district without a province, and clears it when the province changes", async () => {
  await open();
  expect(field("District")).toBeDisabled();
  await userEvent.selectOptions(field("Province"), "Uva");
  await userEvent.selectOptions(field("District"), "Badulla");
  await userEvent.selectOptions(field("Province"), "Central");
  expect(field("District")).toHaveValue("");
});

it("marks a rejected field, and restores the unsent input until the user starts over", async () => {
  const { unmount } = await open();
  await userEvent.type(field("Title"), "Chairs");
  refusal = {
    status: 422,
    body: {
      success: false,
      message: "Invalid email address",
      errors: [{ field: "organization.contactPerson.email", message: "Invalid email address" }],
    },
  };
  await press("Save as Draft");
  expect(await screen.findByRole("alert")).toHaveTextContent("Invalid email address");
  expect(field(/Contact e-mail/)).toHaveAccessibleDescription(/Invalid email address/);
  unmount();
  await open();
  expect(field("Title")).toHaveValue("Chairs");
  expect(screen.getByText(/did not send has been restored/)).toBeInTheDocument();
  await press("Start over");
  expect(field("Title")).toHaveValue("");
});

it("asks before leaving unsaved input", async () => {
  const { router } = await open();
  await userEvent.type(field("Title"), "Chairs");
  await userEvent.click(screen.getByRole("link", { name: "Back to Dashboard" }));
  const dialog = await screen.findByRole("dialog", { name: "Leave without saving?" });
  await userEvent.click(within(dialog).getByRole("button", { name: "Stay here" }));
  expect(router.state.location.pathname).toBe("/supplier/add-tender");
  await userEvent.click(screen.getByRole("link", { name: "Back to Dashboard" }));
  await userEvent.click(await screen.findByRole("button", { name: "Leave" }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/supplier/dashboard"));
});

it("creates no second tender after a lost response, and sends later input as an edit", async () => {
  const { unmount } = await open();
  await userEvent.type(field("Title"), "Chairs");
  losesResponse = true;
  await press("Save as Draft");
  expect(await screen.findByRole("alert")).toHaveTextContent("Failed to create tender");
  unmount();
  losesResponse = false;
  const { router } = await open();
  await userEvent.type(field("Title"), " and tables");
  await press("Save as Draft");
  await waitFor(() => expect(router.state.location.pathname).toBe("/supplier/dashboard"));
  expect(sent).toHaveLength(2);
  expect(sent[1]?.key).toBe(sent[0]?.key);
  expect(createdKeys.size).toBe(1);
  expect(edited).toMatchObject([{ path: "/api/tenders/1", body: { title: "Chairs and tables" } }]);
  expect(Object.keys(window.localStorage).filter((key) => key.startsWith("publish:"))).toEqual([]);
});

it("uses a new key after a rejection, but the same key after a lost response", async () => {
  await open();
  await userEvent.type(field("Title"), "Chairs");
  refusal = { status: 422, body: { success: false, message: "Title is too long" } };
  await press("Save as Draft");
  expect(await screen.findByRole("alert")).toHaveTextContent("Title is too long");
  refusal = null;
  losesResponse = true;
  await press("Save as Draft");
  await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent("Failed to create tender"));
  expect(sent[1]?.key).not.toBe(sent[0]?.key);
  losesResponse = false;
  refusal = { status: 409, body: { success: false, message: "It cannot be edited" } };
  for (const time of [1, 2]) {
    await press("Save as Draft");
    await waitFor(() => expect(edited).toHaveLength(time));
    expect(await screen.findByRole("alert")).toHaveTextContent("It cannot be edited");
  }
  expect(new Set(sent.slice(1).map(({ key }) => key)).size).toBe(1);
  expect(createdKeys.size).toBe(1);
});
