import { fireEvent, screen } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import type { ReviewNotice } from "@/api/types.ts";
import { renderAt } from "@/testing/render.tsx";
import { ClipPane } from "./ClipPane.tsx";

/** Three words beside each other on a clip that is the whole page. */
const review = {
  clipUrl: "/clip.png",
  notice: { title: "Supply of tyres", sources: [{ box: [0, 0, 1, 1] }] },
  words: {
    words: ["Supply", "of", "tyres"].map((text, position) => ({
      text,
      line: 0,
      box: [position / 3, 0, 0.3, 0.1],
    })),
  },
} as unknown as ReviewNotice;

beforeEach(() => {
  Element.prototype.setPointerCapture = vi.fn();
  vi.spyOn(Element.prototype, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 0, 300, 300));
});

it("selects up to the word under the pointer when the button is released", () => {
  const onSelect = vi.fn();
  renderAt(<ClipPane review={review} path="title" onSelect={onSelect} />);
  const clip = screen.getByTestId("clip");
  // The button is released before a move is rendered.
  fireEvent.pointerDown(clip, { button: 0, clientX: 10, clientY: 10 });
  fireEvent.pointerUp(clip, { button: 0, clientX: 250, clientY: 10 });
  expect(onSelect).toHaveBeenCalledWith({ first: 0, last: 2 });
});
