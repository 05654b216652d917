// The sectors in which a company works, by its profile.

import type { Company } from "@/api/types.ts";
import type { Sector } from "@/shared/tender/vocabulary.ts";

/** The sectors that the words of a registration under the Public Contracts Act stand for. */
const SECTORS_OF_WORDS: readonly [RegExp, readonly Sector[]][] = [
  [/work|construct/i, ["construction", "upkeep"]],
  [/goods|suppl/i, ["supply", "it"]],
  [/consult/i, ["consultancy"]],
  [/service/i, ["services"]],
];

/** The sectors of the registrations in the company profile; empty if it has none. */
export function ownSectors({ cida = [], contractsAct = [] }: Company): Sector[] {
  const words = contractsAct.map(({ sector }) => sector);
  const named = SECTORS_OF_WORDS.filter(([pattern]) => words.some((word) => pattern.test(word ?? "")));
  const works: Sector[] = cida.length > 0 ? ["construction", "upkeep"] : [];
  return [...new Set([...works, ...named.flatMap(([, sectors]) => sectors)])];
}
