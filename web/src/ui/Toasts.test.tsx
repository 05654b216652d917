import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Toasts } from "./Toasts.tsx";
import { toast } from "./toasts.ts";

const words = () => screen.queryAllByRole("listitem").map((item) => item.textContent);
const pass = (milliseconds: number) => act(() => vi.advanceTimersByTime(milliseconds));

beforeEach(() => {
  vi.useFakeTimers();
  render(<Toasts label="Messages" close="Close" />);
});

afterEach(() => {
  pass(60_000);
  vi.useRealTimers();
});

it("announces toasts to screen readers and removes them, errors later", () => {
  expect(screen.getByRole("region", { name: "Messages" })).toHaveAttribute("aria-live", "polite");
  act(() => {
    toast.success("Saved");
    toast.error("Not sent", { description: "No answer" });
  });
  expect(words()).toEqual(["Saved", "Not sentNo answer"]);
  pass(6000);
  expect(words()).toEqual(["Not sentNo answer"]);
  pass(6000);
  expect(words()).toEqual([]);
});

it("shows one toast per id, and three at once", () => {
  act(() => {
    toast.error("Session over", { id: "session" });
    toast.error("Session over", { id: "session" });
  });
  expect(words()).toEqual(["Session over"]);
  act(() => {
    for (const title of ["one", "two", "three"]) toast.success(title);
  });
  expect(words()).toEqual(["one", "two", "three"]);
});

it("stays while it is hovered or focused, and goes when it is closed", () => {
  act(() => toast.success("Saved"));
  const item = screen.getByRole("listitem");
  fireEvent.pointerEnter(item);
  pass(60_000);
  expect(words()).toEqual(["Saved"]);
  fireEvent.pointerLeave(item);
  fireEvent.focus(screen.getByRole("button", { name: "Close" }));
  pass(60_000);
  fireEvent.click(screen.getByRole("button", { name: "Close" }));
  expect(words()).toEqual([]);
});
