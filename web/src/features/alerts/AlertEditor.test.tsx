import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { renderAt } from "@/testing/render.tsx";
import { AlertEditor } from "./AlertEditor.tsx";

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
