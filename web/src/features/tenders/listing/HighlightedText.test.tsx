import { render } from "@testing-library/react";
import { expect, it } from "vitest";
import { HighlightedText } from "./HighlightedText.tsx";

const renderMarked = (text: string, marks: number[][]) =>
  render(<HighlightedText text={text} ranges={marks} />).container.innerHTML.replaceAll(
    / class="[^"]*"/g,
    "",
  );

it("counts code points in the ranges, not UTF-16 units", () => {
  expect(
    renderMarked("😀 පාලම bridge", [
      [2, 6],
      [7, 13],
    ]),
  ).toBe("😀 <mark>පාලම</mark> <mark>bridge</mark>");
});

it.each([[[[0, 0]]], [[[9, 12]]], [[]], [[[]]]])("leaves a text unchanged for the ranges %j", (marks) => {
  expect(renderMarked("bridge", marks)).toBe("bridge");
});

it("shows markup in the text literally", () => {
  expect(renderMarked("<b>x</b>", [[3, 4]])).toBe("&lt;b&gt;<mark>x</mark>&lt;/b&gt;");
});
