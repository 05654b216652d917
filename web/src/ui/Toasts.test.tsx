import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Toasts } from "./Toasts.tsx";
import { toast } from "./toasts.ts";

const messages = () => screen.queryAllByRole("listitem").map((item) => item.textContent);
const advance = (milliseconds: number) => act(() => vi.advanceTimersByTime(milliseconds));

beforeEach(() => {
  vi.useFakeTimers();
  render(<Toasts label="Messages" close="Close" />);
});

afterEach(() => {
  advance(60_000);
  vi.useRealTimers();
});

it("announces toasts to screen readers and removes them, errors later", () => {
  expect(screen.getByRole("region", { name: "Messages" })).toHaveAttribute("aria-live", "polite");
  act(() => {
    toast.success("Saved");
    toast.error("Not sent", { description: "No answer" });
  });
  expect(messages()).toEqual(["Saved", "Not sentNo answer"]);
  advance(6000);
  expect(messages()).toEqual(["Not sentNo answer"]);
  advance(6000);
  expect(messages()).toEqual([]);
});

it("shows one toast per id, and drops the oldest of four toasts", () => {
  act(() => {
    toast.error("Session over", { id: "session" });
    toast.error("Session over", { id: "session" });
  });
  expect(messages()).toEqual(["Session over"]);
  act(() => {
    for (const title of ["one", "two", "three"]) toast.success(title);
  });
  expect(messages()).toEqual(["one", "two", "three"]);
});

it("stays while it is hovered or focused, and disappears when it is closed", () => {
  act(() => toast.success("Saved"));
  const item = screen.getByRole("listitem");
  fireEvent.pointerEnter(item);
  advance(60_000);
  expect(messages()).toEqual(["Saved"]);
  fireEvent.pointerLeave(item);
  fireEvent.focus(screen.getByRole("button", { name: "Close" }));
  advance(60_000);
  fireEvent.click(screen.getByRole("button", { name: "Close" }));
  expect(messages()).toEqual([]);
});
