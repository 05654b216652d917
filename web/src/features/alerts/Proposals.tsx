// Changed versions of an alert, each with the number of tenders that it would have found. One click
// takes a version.

import { useTranslation } from "@/i18n/i18n.ts";
import { enumLabel } from "@/i18n/translate.ts";
import { vocabularyName } from "@/shared/tender/vocabularyNames.ts";
import { Button } from "@/ui/Button.tsx";
import type { AlertQuery, Proposal } from "./api.ts";

/** Returns a function that names the change of a proposal. */
function useChangeText() {
  const { t } = useTranslation();
  return ({ change, values }: Proposal) => {
    const [first = "", second = ""] = values;
    switch (change) {
      case "district":
        return t("alerts.change.district", { district: vocabularyName("district", first, t) });
      case "sector":
        return t("alerts.change.sector", { sector: enumLabel(t, "tenders.sector", first) });
      case "districtAndSector":
        return t("alerts.change.districtAndSector", {
          district: vocabularyName("district", first, t),
          sector: enumLabel(t, "tenders.sector", second),
        });
      case "withoutKeyword":
        return t("alerts.change.withoutKeyword", { term: first });
      case "translations":
        return t("alerts.change.translations", { words: values.join(", ") });
      default:
        return t(`alerts.change.${change}`);
    }
  };
}

interface ProposalsProps {
  proposals: readonly Proposal[];
  /** Says how much a proposal finds. */
  countText: (proposal: Proposal) => string;
  onTake: (query: AlertQuery) => void;
}

export function Proposals({ proposals, countText, onTake }: ProposalsProps) {
  const { t } = useTranslation();
  const changeText = useChangeText();
  return (
    <ul className="mt-2 grid gap-2">
      {proposals.map((proposal) => (
        <li
          key={`${proposal.change} ${proposal.values.join()}`}
          className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5 rounded-lg bg-sheet px-3 py-2 text-ink"
        >
          <span className="min-w-0 flex-1 basis-36 text-[0.9375rem] wrap-anywhere">
            {changeText(proposal)}
            <span className="block text-sm text-ink-soft">{countText(proposal)}</span>
          </span>
          <Button
            variant="outlined"
            size="small"
            aria-label={t("alerts.proposals.takeNamed", { change: changeText(proposal) })}
            onClick={() => onTake(proposal.query)}
          >
            {t("alerts.proposals.take")}
          </Button>
        </li>
      ))}
    </ul>
  );
}
