import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { session } from "@/api/client.ts";
import type { Tender } from "@/api/types.ts";
import { upload } from "@/api/upload.ts";
import { renderAt, tokenUntil } from "@/testing/render.tsx";
import { PublishPage } from "./PublishPage.tsx";

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
  window.scrollTo = () => undefined;
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
const press = (name: string | RegExp) => userEvent.click(screen.getByRole("button", { name }));
const alert = () => screen.getByRole("alert");
const steps = () => within(screen.getByRole("navigation", { name: "Steps" }));
const openStep = async (name: string) => {
  await userEvent.click(steps().getByRole("button", { name: new RegExp(`^${name}`) }));
  expect(screen.getByRole("heading", { name })).toHaveFocus();
};
/** Opens the last step and publishes. */
const publish = async () => {
  await openStep("Preview");
  await press("Publish Tender");
};
const preview = (tender: Tender) => <p>{`Preview of ${tender.title}`}</p>;
const open = async () => {
  const page = renderAt(<PublishPage renderPreview={preview} />, {
    at: "/supplier/add-tender",
    now: "2026-11-21T09:00:00+05:30",
  });
  await screen.findByRole("heading", { name: "Add a tender" });
  return page;
};

it("prefills the form from the account", async () => {
  await open();
  expect(field("Organization name")).toHaveValue("Silva Supplies");
  expect(field(/Contact person/)).toHaveValue("Kumari Silva");
  expect(field(/Organization type/)).toHaveValue("private");
  await openStep("Dates and places");
  expect(field(/^Published/)).toHaveValue("2026-11-21");
  expect(field(/^Published/)).toHaveAccessibleDescription("Sat 21 Nov 2026");
});

it("opens the steps in order and in any order, and keeps the input", async () => {
  await open();
  expect(steps().getByRole("button", { name: "What is bought" })).toHaveAttribute("aria-current", "step");
  await userEvent.type(field("Title"), "Chairs{Enter}");
  await waitFor(() => expect(alert()).toHaveFocus());
  expect(
    within(alert())
      .getAllByRole("button")
      .map(({ textContent }) => textContent),
  ).toEqual(["Description is required", "Reference number is required", "Category is required"]);
  expect(screen.getByText("Step 1 of 6")).toBeInTheDocument();
  write(/^Description/, "Two hundred, of wood");
  write("Reference number", "FW/1");
  write("Category", "Furniture");
  await userEvent.type(field("Title"), "{Enter}");
  expect(screen.getByRole("heading", { name: "Who may bid" })).toHaveFocus();
  await press("Next");
  expect(screen.getByText("Step 3 of 6")).toBeInTheDocument();
  expect(screen.getByText("· Next: Dates and places")).toBeInTheDocument();
  await userEvent.type(field(/^Document fee/), "3,500");
  await openStep("Preview");
  expect(screen.getByText("Preview of Chairs")).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "Next" })).not.toBeInTheDocument();
  await press("Back");
  await openStep("Money and documents");
  expect(field(/^Document fee/)).toHaveValue("3,500");
  expect(sent).toEqual([]);
});

it("lists all problems, marks their steps, and leads to each field", async () => {
  await open();
  await publish();
  await waitFor(() => expect(alert()).toHaveFocus());
  const entries = within(alert())
    .getAllByRole("button")
    .map(({ textContent }) => textContent);
  expect(entries).toHaveLength(7);
  expect([entries[0], entries.at(-1)]).toEqual(["Title is required", "Closing date is required"]);
  const faulty = steps().getAllByRole("button", { name: /has errors$/ });
  expect(faulty.map(({ textContent }) => textContent)).toEqual([
    "What is bought has errors",
    "Dates and places has errors",
  ]);
  await press("Closing date is required");
  expect(field("Closing date")).toHaveFocus();
  expect(field("Closing date")).toHaveAccessibleDescription(/Closing date is required/);
  // The district can be chosen only after the province.
  await press("District is required");
  expect(field("Province")).toHaveFocus();
  await press("Title is required");
  expect(field("Title")).toHaveFocus();
  expect(sent).toEqual([]);
});

it("clears each error when its field is corrected", async () => {
  await open();
  await publish();
  await openStep("What is bought");
  write("Title", "Chairs");
  expect(field("Title")).toBeValid();
  expect(screen.queryByText("Title is required")).not.toBeInTheDocument();
  expect(alert()).toHaveTextContent("Description is required");
  await openStep("Dates and places");
  write("Closing date", "2026-11-20");
  expect(field("Closing date")).toHaveAccessibleDescription(/Closing date must be in the future/);
  write("Closing date", "2026-12-20");
  expect(field("Closing date")).toBeValid();
});

const write = (name: string | RegExp, value: string) => fireEvent.change(field(name), { target: { value } });

it("adds and removes rows of lots and grades", async () => {
  await open();
  await press("Add a lot");
  write("Subject", "Hostel");
  await press("Add a lot");
  await press("Remove Lot 1");
  expect(screen.getByRole("button", { name: "Add a lot" })).toHaveFocus();
  expect(field("Subject")).toHaveValue("");
  await openStep("Who may bid");
  await press("Add a grade");
  write(/^Field of work/, "Bridge construction");
  await press("Add a grade");
  // The next grade is mostly for the same field of work.
  const fields = screen.getAllByLabelText(/^Field of work/);
  expect(fields.map((one) => (one as HTMLInputElement).value)).toEqual([
    "Bridge construction",
    "Bridge construction",
  ]);
});

it("publishes a notice with grades, fee, bond in rupees, meeting and lots", async () => {
  const { router } = await open();
  write(/^Procurement method/, "NCB");
  await press("Add a lot");
  write("Subject", "Canteen");
  await fill();
  await openStep("Who may bid");
  await press("Add a grade");
  write("CIDA grade", "C5");
  write("Other grades that may bid", "higher");
  await openStep("Money and documents");
  write(/^Bid security \(/, "240,000");
  write("Bid security given as", "LKR");
  write(/^Document fee/, "3500");
  await openStep("Dates and places");
  write(/^Meeting date/, "2026-12-01");
  write(/^Meeting hour/, "10:00");
  await publish();
  await waitFor(() => expect(router.state.location.pathname).toBe("/supplier/dashboard"));
  expect(sent[0]?.body).toMatchObject({
    method: "NCB",
    cida: [{ grade: "C5", field: null, alsoAdmits: "higher" }],
    lots: [{ title: "Canteen" }],
    documentFee: { amount: 3500, currency: "LKR" },
    financials: { bidBond: { amount: 240000, currency: "LKR" } },
    preBid: { at: "2026-12-01T10:00:00+05:30" },
  });
});

it("refuses a dropped file of another type at once", async () => {
  await open();
  await openStep("Attachments");
  const files = [new File(["a,b"], "prices.csv"), new File(["%PDF"], "plan.pdf")];
  fireEvent.drop(field("Choose files").closest("div") as HTMLElement, { dataTransfer: { files } });
  const list = screen.getByRole("list", { name: "Attached documents" });
  const [refused, accepted] = within(list).getAllByRole("listitem");
  expect(refused).toHaveTextContent("This file type is not supported. Attach PDF, Word, Excel");
  expect(refused).not.toHaveTextContent("Try again");
  expect(accepted).toHaveTextContent("Sent when the tender is saved");
});

it("clears a server error when its field is changed", async () => {
  await open();
  await userEvent.type(field("Title"), "Chairs");
  const message = "Invalid email address";
  const errors = [{ field: "organization.contactPerson.email", message }];
  refusal = { status: 422, body: { success: false, message, errors } };
  await press("Save as Draft");
  await waitFor(() => expect(alert()).toHaveTextContent(message));
  await userEvent.type(field("Title"), " of wood");
  expect(field(/Contact e-mail/)).toBeInvalid();
  await userEvent.type(field(/Contact e-mail/), "x");
  expect(field(/Contact e-mail/)).toBeValid();
  expect(screen.queryByText(new RegExp(message))).not.toBeInTheDocument();
});

/** Fills in all required fields. */
async function fill() {
  write("Title", "Chairs");
  write("Description", "Of wood");
  write("Reference number", "FW/1");
  write("Category", "Furniture");
  await openStep("Dates and places");
  write("Province", "Uva");
  write("District", "Badulla");
  write("Closing date", "2026-12-20");
  await openStep("Attachments");
}

it("publishes a new tender only after its documents are uploaded", async () => {
  const steps: string[] = [];
  vi.mocked(upload).mockImplementation(async (path) => {
    steps.push(`${sent.length} sent, ${edited.length} edited, ${path}`);
    return { document: { _id: "d", name: "plan.pdf", type: "application/pdf", size: 4 } };
  });
  const { router } = await open();
  await fill();
  await userEvent.upload(field("Choose files"), new File(["%PDF"], "plan.pdf"));
  await publish();
  await waitFor(() => expect(router.state.location.pathname).toBe("/supplier/dashboard"));
  expect(sent[0]?.body.status).toBe("draft");
  expect(steps).toEqual(["1 sent, 0 edited, /tenders/1/documents"]);
  expect(edited).toMatchObject([{ path: "/api/tenders/1", body: { status: "published" } }]);
});

it("leaves the new tender a draft if a document fails to upload", async () => {
  vi.mocked(upload).mockRejectedValue(new TypeError("The connection was lost"));
  const { router } = await open();
  await fill();
  await userEvent.upload(field("Choose files"), new File(["%PDF"], "plan.pdf"));
  await publish();
  await waitFor(() => expect(router.state.location.pathname).toBe("/supplier/tenders/1/edit"));
  expect(sent[0]?.body.status).toBe("draft");
  expect(edited).toEqual([]);
});

it("saves an incomplete draft with its lists", async () => {
  const { router } = await open();
  await userEvent.type(field("Title"), "Chairs");
  await openStep("Attachments");
  await userEvent.type(field(/^Tags/), "school{Enter}school{Enter} {Enter}wood{Enter}");
  const tags = screen.getByRole("list", { name: "Tags" });
  expect(within(tags).getAllByRole("listitem")).toHaveLength(2);
  await press("Remove school");
  await press("Save as Draft");
  await waitFor(() => expect(router.state.location.pathname).toBe("/supplier/dashboard"));
  expect(sent[0]?.body).toMatchObject({ title: "Chairs", status: "draft", tags: ["wood"] });
  expect(sent[0]?.key).toMatch(/^[0-9a-f-]{36}$/);
});

it("keeps an entry of a list that was typed without Enter", async () => {
  await open();
  await openStep("Who may bid");
  await userEvent.type(field(/^Criteria/), "Registered");
  await openStep("Preview");
  await openStep("Who may bid");
  expect(screen.getByRole("list", { name: "Criteria" })).toHaveTextContent("Registered");
});

it("disables the district without a province, and clears it when the province changes", async () => {
  await open();
  await openStep("Dates and places");
  expect(field("District")).toBeDisabled();
  await userEvent.selectOptions(field("Province"), "Uva");
  await userEvent.selectOptions(field("District"), "Badulla");
  await userEvent.selectOptions(field("Province"), "Central");
  expect(field("District")).toHaveValue("");
});

it("marks a rejected field, and restores the unsent input until the user starts over", async () => {
  const { unmount } = await open();
  await userEvent.type(field("Title"), "Chairs");
  await openStep("Who may bid");
  refusal = {
    status: 422,
    body: {
      success: false,
      message: "Invalid email address",
      errors: [{ field: "organization.contactPerson.email", message: "Invalid email address" }],
    },
  };
  await press("Save as Draft");
  expect(await screen.findByText("Contact e-mail: Invalid email address")).toBeInTheDocument();
  await press("Contact e-mail: Invalid email address");
  expect(field(/Contact e-mail/)).toHaveFocus();
  expect(field(/Contact e-mail/)).toHaveAccessibleDescription(/Invalid email address/);
  await openStep("Who may bid");
  unmount();
  await open();
  expect(screen.getByRole("heading", { name: "Who may bid" })).toBeInTheDocument();
  await openStep("What is bought");
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
  await waitFor(() => expect(alert()).toHaveTextContent("Failed to create tender"));
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
  await waitFor(() => expect(alert()).toHaveTextContent("Title is too long"));
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
    await waitFor(() => expect(alert()).toHaveTextContent("It cannot be edited"));
  }
  expect(new Set(sent.slice(1).map(({ key }) => key)).size).toBe(1);
  expect(createdKeys.size).toBe(1);
});
