import { expect, test } from "vitest";
import type { Tender } from "@/api/types.ts";
import { probableRelation } from "./relation.ts";

const shown = (kind: "purchase" | "corrigendum", likenesses: number[]) =>
  probableRelation({
    notice: { kind } as Tender,
    candidates: likenesses.map((likeness, nth) => ({ tender: `t${nth}`, title: "Chairs", likeness })),
  });

test("a candidate is chosen only if it is much alike", () => {
  expect(shown("purchase", [0.8, 0.7])).toEqual({ kind: "joins", tender: "t0" });
  expect(shown("purchase", [0.45])).toEqual({ kind: "tender" });
  expect(shown("corrigendum", [0.8])).toEqual({ kind: "joins", tender: "t0" });
  expect(shown("corrigendum", [0.45])).toBeNull();
  expect(shown("corrigendum", [])).toBeNull();
});
