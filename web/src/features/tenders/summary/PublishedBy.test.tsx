import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Tender } from "@/api/types.ts";
import { PublishedBy } from "./PublishedBy.tsx";

const tender = (publishedBy: string) => ({ _id: "1", title: "Chairs", publishedBy }) as unknown as Tender;

it("labels only a tender that the organisation published itself", () => {
  const { rerender } = render(<PublishedBy tender={tender("newspaper")} />);
  expect(screen.queryByText("Published by the organisation")).not.toBeInTheDocument();
  rerender(<PublishedBy tender={tender("organisation")} />);
  expect(screen.getByText("Published by the organisation")).toBeVisible();
});
