// The short answer to "May I bid?". It names the first thing that is missing or not certain.

import type { BidAnswer, Bidding, Tender } from "@/api/types.ts";
import type { Translate } from "@/i18n/translate.ts";
import { formatAmount } from "@/shared/format/money.ts";

type Requirement = Pick<Bidding["requirements"][number], "kind" | "path">;

/** A requirement in a few words. */
function shortName({ cida, eligibility }: Tender, { kind, path }: Requirement, t: Translate): string {
  switch (kind) {
    case "grade": {
      const asked = cida?.[Number(path?.split(".").at(-1))] ?? cida?.[0];
      return t("tenders.bidding.short.grade", { grade: asked?.grade ?? "" }).trim();
    }
    case "experience": {
      const years = eligibility?.experience?.years;
      return years == null
        ? t("tenders.bidding.short.experience")
        : t("tenders.bidding.short.years", { count: years });
    }
    case "turnover": {
      const { minimum = 0, currency } = eligibility?.turnover ?? {};
      return t("tenders.bidding.short.turnover", { amount: formatAmount(minimum, currency) });
    }
    default:
      return t(`tenders.bidding.short.${kind}`);
  }
}

/** An answer in a few words. `first` is the first requirement that decides it. */
export function shortBidAnswer(
  tender: Tender,
  answer: BidAnswer,
  first: Requirement | null | undefined,
  t: Translate,
): string {
  if ((answer === "missing" || answer === "not-certain") && first) {
    return t(`tenders.bidding.first.${answer}`, { what: shortName(tender, first, t) });
  }
  return t(`tenders.bidding.answers.${answer}`);
}

/** The answer in a few words; `null` without a company profile. */
export function bidAnswerText(tender: Tender, { answer, requirements }: Bidding, t: Translate) {
  if (answer == null) return null;
  const first = requirements.find(({ verdict }) => verdict === answer);
  return shortBidAnswer(tender, answer, first, t);
}
