import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import NoticeText, { withPrintedNumbers } from "./NoticeText.tsx";

const show = (markdown: string) => render(<NoticeText markdown={markdown} language="en" />).container;

it("keeps the printed numbers of paragraphs", () => {
  expect(withPrintedNumbers("1. One\n\n3. Three\n\n10) Ten")).toBe("1\\. One\n\n3\\. Three\n\n10\\) Ten");
  expect(show("1. One\n\n3. Three")).toHaveTextContent("1. One 3. Three");
});

it("leaves amounts and dates alone", () => {
  expect(withPrintedNumbers("2.5% of\n22.03.2028")).toBe("2.5% of\n22.03.2028");
});

it("shows tables and emphasis", () => {
  show("| Lot | Item |\n| --- | --- |\n| 1 | **Tyres** |");
  expect(screen.getByRole("table")).toBeInTheDocument();
  expect(screen.getByText("Tyres").tagName).toBe("STRONG");
});

it("shows no empty heads of tables", () => {
  const facts = show("| | |\n| --- | --- |\n| Closes | 3 March |");
  expect(facts.querySelector("thead")).toBeNull();
  expect(facts).toHaveTextContent("Closes");
  const lots = show("| | Item |\n| --- | --- |\n| 1 | Tyres |");
  expect([...lots.querySelectorAll("thead *")].map(({ tagName }) => tagName)).toEqual(["TR", "TD", "TH"]);
});

it.each([
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "![x](https://tracker.example/pixel.png)",
  "[click](javascript:alert(1))",
  "[click](data:text/html,x)",
  "<iframe src=https://evil.example></iframe>",
  "<a href='https://evil.example' onclick=alert(1)>x</a>",
])("removes code and embedded resources: %s", (markdown) => {
  const shown = show(markdown);
  expect(
    shown.querySelector(
      "script, img, iframe, [onclick], [onerror], [style], a[href^='javascript'], a[href^='data']",
    ),
  ).toBeNull();
});

it("opens links to the web without referrer and opener", () => {
  show("[the ministry](https://ministry.example)");
  expect(screen.getByRole("link")).toHaveAttribute("rel", "noopener noreferrer nofollow ugc");
});
