// The page that lists the batches of notices that were withdrawn.

import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { PackageX } from "lucide-react";
import { Link } from "react-router";
import type { BatchWithdrawal } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatMoment } from "@/shared/format/dates.ts";
import { paths } from "@/shared/paths.ts";
import { ButtonLink } from "@/ui/Button.tsx";
import { EmptyState } from "@/ui/StatusMessages.tsx";
import { OperatePage } from "../OperatePage.tsx";
import { PartialList } from "../PartialList.tsx";
import { withdrawalList } from "./api.ts";
import { useBatchName } from "./names.ts";
import { WithdrawalStateBadge } from "./WithdrawalStateBadge.tsx";

function WithdrawalRow({ withdrawal }: { withdrawal: BatchWithdrawal }) {
  const { t } = useTranslation();
  const nameOf = useBatchName();
  const { _id, state, reason, startedAt, startedBy, withdrawnNotices, withdrawnTenders } = withdrawal;
  const facts = [
    t("operate.batches.startedAt", { moment: formatMoment(startedAt) }),
    startedBy && t("operate.batches.by", { name: startedBy }),
    t("operate.batches.noticesDone", { count: withdrawnNotices }),
    t("operate.batches.tendersDone", { count: withdrawnTenders }),
  ];
  return (
    <div className="px-4 py-3">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Link
          to={paths.operateBatch(_id)}
          className="font-semibold wrap-anywhere hover:text-accent hover:underline"
        >
          {nameOf(withdrawal)}
        </Link>
        <WithdrawalStateBadge state={state} />
      </p>
      <p className="text-[0.9375rem] wrap-anywhere">{reason}</p>
      <p className="text-sm wrap-anywhere text-ink-soft">{facts.filter(Boolean).join(" · ")}</p>
    </div>
  );
}

export function Component() {
  const { t } = useTranslation();
  const list = useInfiniteQuery({ ...withdrawalList, placeholderData: keepPreviousData });
  return (
    <OperatePage title={t("operate.batches.title")}>
      <div className="mt-2 mb-6 flex flex-wrap items-end justify-between gap-4">
        <p className="max-w-[65ch] flex-1 basis-72 text-ink-soft">{t("operate.batches.text")}</p>
        <ButtonLink to={paths.operateNewBatch}>{t("operate.batches.new")}</ButtonLink>
      </div>
      <PartialList
        list={list}
        items={list.data?.pages.flatMap(({ withdrawals }) => withdrawals) ?? []}
        keyOf={({ _id }) => _id}
        empty={
          <EmptyState icon={<PackageX size={22} />} title={t("operate.batches.none")}>
            {t("operate.batches.noneHelp")}
          </EmptyState>
        }
      >
        {(withdrawal) => <WithdrawalRow withdrawal={withdrawal} />}
      </PartialList>
    </OperatePage>
  );
}
