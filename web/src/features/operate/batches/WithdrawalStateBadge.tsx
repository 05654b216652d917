// How far the withdrawal of a batch is, as a badge.

import type { BatchWithdrawal } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { Badge, type Tone } from "@/ui/Badge.tsx";

const tones: Record<BatchWithdrawal["state"], Tone> = {
  withdrawing: "soon",
  telling: "soon",
  done: "good",
  undoing: "soon",
  "telling-undo": "soon",
  undone: "quiet",
};

export function WithdrawalStateBadge({ state }: { state: BatchWithdrawal["state"] }) {
  const { t } = useTranslation();
  return <Badge tone={tones[state]}>{t(`operate.batches.state.${state}`)}</Badge>;
}
