// A list that is loaded in parts, with its loading, error and empty states.

import type { ReactNode } from "react";
import { messageOf } from "@/api/error.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { Button } from "@/ui/Button.tsx";
import { ErrorBanner, LoadingScreen } from "@/ui/StatusMessages.tsx";

interface LoadedList {
  error: unknown;
  isPending: boolean;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
  refetch: () => unknown;
}

export function PartialList<Item>({
  list,
  items,
  keyOf,
  empty,
  children,
}: {
  list: LoadedList;
  items: readonly Item[];
  keyOf: (item: Item) => string | number;
  empty: ReactNode;
  children: (item: Item) => ReactNode;
}) {
  const { t } = useTranslation();
  const failure = list.error ? (
    <ErrorBanner
      title={messageOf(list.error, t("operate.failed"))}
      action={
        <Button
          variant="outlined"
          size="small"
          onClick={() => void (items.length > 0 ? list.fetchNextPage() : list.refetch())}
        >
          {t("shell.tryAgain")}
        </Button>
      }
    />
  ) : null;
  if (failure && items.length === 0) return failure;
  if (list.isPending) return <LoadingScreen label={t("shell.loading")} />;
  if (items.length === 0) return empty;
  return (
    <>
      <ul className="divide-y divide-line rounded-xl border border-line bg-sheet">
        {items.map((item) => (
          <li key={keyOf(item)}>{children(item)}</li>
        ))}
      </ul>
      {failure && <div className="mt-4">{failure}</div>}
      {list.hasNextPage && !failure && (
        <div className="mt-4 text-center">
          <Button
            variant="outlined"
            disabled={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            {t("operate.more")}
          </Button>
        </div>
      )}
    </>
  );
}
