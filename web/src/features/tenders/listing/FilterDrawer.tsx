// All filters on a phone: a button that says how many are set, and a drawer that it opens. Its lower edge
// says how many tenders match.

import { SlidersHorizontal } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "@/i18n/i18n.ts";
import { type Filters, listChoices } from "@/shared/tender/filters.ts";
import { Button } from "@/ui/Button.tsx";
import { Drawer } from "@/ui/Drawer.tsx";

interface FilterDrawerProps {
  filters: Filters;
  /** The number of tenders that match; `undefined` while it is unknown. */
  count: number | undefined;
  onOpen: () => void;
  children: ReactNode;
}

export function FilterDrawer({ filters, count, onOpen, children }: FilterDrawerProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const hidesClosed = filters.hideClosed && filters.show === null;
  const switches = [hidesClosed, filters.mayBid].filter(Boolean).length;
  const active = listChoices(filters.advanced).length + switches;
  return (
    <>
      <Button
        variant="outlined"
        size="small"
        onClick={() => {
          onOpen();
          setOpen(true);
        }}
      >
        <SlidersHorizontal size={17} aria-hidden />
        {active === 0 ? t("tenders.basic.filters") : t("tenders.basic.filtersSet", { count: active })}
      </Button>
      {open && (
        <Drawer
          title={t("tenders.basic.filters")}
          closeLabel={t("tenders.basic.close")}
          onClose={() => setOpen(false)}
          footer={(close) => (
            <Button className="w-full" onClick={close}>
              {count === undefined ? t("tenders.basic.showAll") : t("tenders.basic.show", { count })}
            </Button>
          )}
        >
          {children}
        </Drawer>
      )}
    </>
  );
}
