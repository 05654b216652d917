import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { session } from "@/api/client.ts";
import { renderAt, tokenUntil } from "@/testing/render.tsx";
import { AlertEditor } from "./AlertEditor.tsx";
import { newAlert } from "./form.ts";

/** The methods and paths of the requests. */
let requests: string[];

beforeEach(() => {
  requests = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const { method, url } = input as Request;
    requests.push(`${method} ${new URL(url).pathname}`);
    return new Response(JSON.stringify({ success: false, message: "Not asked here" }), {
      status: 400,
      headers: { "content-type": "application/json" },
    });
  });
});

const keyword = (nth: number) => screen.findByRole("textbox", { name: `Keyword ${nth}` });

it("adds a keyword with Enter, and does not send the form", async () => {
  const onClose = vi.fn();
  renderAt(<AlertEditor id={null} initial={null} proposed={null} onClose={onClose} />);
  await userEvent.click(await keyword(1));
  await userEvent.paste("bridge");
  await userEvent.keyboard("{Enter}");
  expect(await keyword(2)).toHaveFocus();
  // An empty keyword stays the last one. From an earlier one, Enter leads to it.
  await userEvent.keyboard("{Enter}");
  await userEvent.click(await keyword(1));
  await userEvent.keyboard("{Enter}");
  expect(await keyword(2)).toHaveFocus();
  await userEvent.paste("culvert");
  await userEvent.keyboard("{Enter}");
  expect(await keyword(3)).toHaveFocus();
  expect(screen.queryByRole("textbox", { name: "Keyword 4" })).toBeNull();
  expect(screen.queryByText("Keyword is required")).toBeNull();
  expect(requests).not.toContain("POST /api/alerts");
  expect(onClose).not.toHaveBeenCalled();
});

it("warns that a keyword is found inside words, and narrows it with one press", async () => {
  const match = (id: string, before: string, after: string) => ({
    _id: id,
    title: `Tender ${id}`,
    organization: "A council",
    fieldStates: {},
    keyword: "roof",
    passage: { before, hit: "roof", after },
  });
  const data = {
    days: 30,
    matchCount: 2,
    hasMore: false,
    matches: [match("a", "a request and p", " of payment"), match("b", "a steel ", "ing sheet")],
    mailsAWeek: 1,
    keywords: [{ term: "roof", count: 2, equivalents: [] }],
    noisiest: null,
    breadth: { isTooBroad: false, proposals: [] },
  };
  vi.mocked(fetch).mockImplementation(
    async () =>
      new Response(JSON.stringify({ success: true, data }), {
        headers: { "content-type": "application/json" },
      }),
  );
  const initial = { ...newAlert, keywords: [{ term: "roof", matchType: "contains" as const }] };
  renderAt(<AlertEditor id={null} initial={initial} proposed={null} onClose={vi.fn()} />);
  expect(await screen.findByText("“roof” is also found inside words, such as “proof”.")).toBeVisible();
  // The preview is rendered for wide screens and for phones.
  expect(screen.getAllByText("Inside the word “proof”")).toHaveLength(2);
  await userEvent.click(screen.getByRole("button", { name: "Only words that start with “roof”" }));
  const matchType = screen.getByRole("combobox", { name: "Match type 1" });
  expect(matchType).toHaveValue("starts_with");
  expect(matchType).toHaveFocus();
  expect(screen.queryByText(/is also found inside words/)).toBeNull();
});

const group = (name: RegExp) => screen.findByRole("button", { name });

it("shows what the closed groups are set to", async () => {
  const initial = {
    ...newAlert,
    provinces: ["Western" as const],
    minValue: "5",
    customEmail: "bids@example.lk",
  };
  renderAt(<AlertEditor id={null} initial={initial} proposed={null} onClose={vi.fn()} />);
  const places = await group(/^Provinces and cities/);
  expect(places).toHaveAccessibleName("Provinces and cities Western");
  expect(places).toHaveAttribute("aria-expanded", "false");
  expect(await group(/^Estimated value/)).toHaveAccessibleName(/5.*\(LKR\)$/);
  expect(await group(/^Organisation types/)).toHaveAccessibleName("Organisation types Any");
  expect(await group(/^Sent to/)).toHaveAccessibleName("Sent to bids@example.lk");
  expect(await group(/^Advanced Filters/)).toHaveAccessibleName(
    "Advanced Filters Included tender statuses: Published",
  );
});

it("opens the group of an invalid field and leads to it", async () => {
  const initial = {
    ...newAlert,
    name: "Bridges",
    keywords: [{ term: "bridge", matchType: "contains" as const }],
  };
  renderAt(
    <AlertEditor id={null} initial={{ ...initial, minDays: "x" }} proposed={null} onClose={vi.fn()} />,
  );
  expect(await group(/^Advanced Filters/)).toHaveAttribute("aria-expanded", "false");
  await userEvent.click(await screen.findByRole("button", { name: "Create Alert" }));
  expect(await screen.findByText("Must be whole days from 0 to 365")).toBeVisible();
  expect(screen.getByRole("textbox", { name: /^Minimum days/ })).toHaveFocus();
});

it("does not ask after the alert is saved", async () => {
  session.write(tokenUntil(Date.now() / 1000 + 3600), "refresh");
  const preview = { days: 30, matchCount: 0, hasMore: false, matches: [], mailsAWeek: 0, keywords: [] };
  const data = { ...preview, noisiest: null, breadth: { isTooBroad: false, proposals: [] } };
  vi.mocked(fetch).mockImplementation(async (input) => {
    const isAccount = new URL((input as Request).url).pathname === "/api/auth/me";
    return isAccount ? Response.json({}, { status: 503 }) : Response.json({ success: true, data });
  });
  const onClose = vi.fn(() => void router.navigate("/saved"));
  const { router } = renderAt(<AlertEditor id={null} initial={null} proposed={null} onClose={onClose} />);
  await userEvent.type(await screen.findByRole("textbox", { name: "Name" }), "Bridges");
  await userEvent.type(await keyword(1), "bridge");
  await userEvent.click(screen.getByRole("button", { name: "Create Alert" }));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(router.state.location.pathname).toBe("/saved");
});

it("asks before changes are lost, and lets an unchanged form be left at once", async () => {
  session.write(tokenUntil(Date.now() / 1000 + 3600), "refresh");
  const { router } = renderAt(<AlertEditor id={null} initial={null} proposed={null} onClose={vi.fn()} />, {
    at: "/alert-settings?new=1",
  });
  const name = await screen.findByRole("textbox", { name: "Name" });
  await router.navigate("/tenders");
  expect(router.state.location.pathname).toBe("/tenders");
  await userEvent.type(name, "Bridges");
  await router.navigate("/saved");
  expect(await screen.findByText("Your changes to this alert are lost.")).toBeVisible();
  expect(router.state.location.pathname).toBe("/tenders");
  await userEvent.click(screen.getByRole("button", { name: "Stay here" }));
  await waitFor(() => expect(screen.queryByText("Your changes to this alert are lost.")).toBeNull());
  expect(name).toHaveValue("Bridges");
  await router.navigate("/saved");
  await userEvent.click(await screen.findByRole("button", { name: "Leave" }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/saved"));
});
