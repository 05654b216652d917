// The frame of the pages about coverage, with the links between them.

import type { ReactNode } from "react";
import { useTranslation } from "@/i18n/i18n.ts";
import { paths } from "@/shared/paths.ts";
import { OperatePage, STAFF } from "../OperatePage.tsx";
import { Views } from "../Views.tsx";

export function CoverageViews({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <OperatePage title={t("operate.coverage.title")} only={STAFF}>
      <Views
        label={t("operate.coverage.views")}
        views={[
          [paths.operateCoverage, t("operate.coverage.grid")],
          [paths.operatePapers, t("operate.coverage.papers.title")],
          [paths.operateHolidays, t("operate.coverage.holidays.title")],
        ]}
      />
      {children}
    </OperatePage>
  );
}
