import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Tender } from "@/api/types.ts";
import { PublishedBy } from "./PublishedBy.tsx";

const tender = (publishedBy: string) =>
  ({ _id: "1", title: "Chairs", publishedBy, organization: { name: "Abans" } }) as unknown as Tender;

it("tells which tender no newspaper printed", () => {
  const { rerender } = render(<PublishedBy tender={tender("newspaper")} />);
  expect(screen.queryByText("Published by the organisation itself")).not.toBeInTheDocument();
  rerender(<PublishedBy tender={tender("organisation")} />);
  expect(screen.getByText("Published by the organisation itself")).toBeVisible();
});
