// A select for one sector or all.

import { ChevronDown } from "lucide-react";
import { parseEnum } from "@/api/enums.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { SECTORS, type Sector } from "./vocabulary.ts";

interface SectorSelectProps {
  /** The id of the element, for its label. */
  id: string;
  /** `null` for all sectors. */
  value: Sector | null;
  onChange: (value: Sector | null) => void;
  className: string;
}

export function SectorSelect({ id, value, onChange, className }: SectorSelectProps) {
  const { t } = useTranslation();
  return (
    <div className="relative max-sm:w-full sm:w-48">
      <select
        id={id}
        value={value ?? "all"}
        onChange={({ target }) => onChange(parseEnum(SECTORS, target.value))}
        className={`w-full appearance-none bg-sheet pr-9 font-medium ${className}`}
      >
        <option value="all">{t("tenders.sector.all")}</option>
        {SECTORS.map((sector) => (
          <option key={sector} value={sector}>
            {t(`tenders.sector.${sector}`)}
          </option>
        ))}
      </select>
      <ChevronDown
        size={18}
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2 text-ink-soft"
      />
    </div>
  );
}
