import { act, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { NearView } from "./NearView.tsx";

afterEach(() => vi.unstubAllGlobals());

const view = () => render(<NearView substitute={<p>Light</p>}>Heavy</NearView>);

it("renders the children once they are near the view", () => {
  let report: (entries: { isIntersecting: boolean }[]) => void = () => {};
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      constructor(callback: typeof report) {
        report = callback;
      }
      observe() {}
      disconnect() {}
    },
  );
  view();
  act(() => report([{ isIntersecting: false }]));
  expect(screen.getByText("Light")).toBeInTheDocument();
  act(() => report([{ isIntersecting: true }]));
  expect(screen.queryByText("Light")).not.toBeInTheDocument();
  expect(screen.getByText("Heavy")).toBeInTheDocument();
});

it("renders the children at once where the browser can't tell what is in view", () => {
  view();
  expect(screen.getByText("Heavy")).toBeInTheDocument();
});
