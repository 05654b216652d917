// An illustration of what the portal does: a printed notice with highlighted fields, and below it
// the fields as the portal shows them.

import { ScanLine } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "@/i18n/i18n.ts";

function Highlight({ children }: { children: ReactNode }) {
  return (
    <mark className="rounded-[2px] bg-[#cfe6e0] box-decoration-clone px-0.5 font-semibold text-[#0b4a4b]">
      {children}
    </mark>
  );
}

function Field({ label, value }: { label: string; value: string }) {
  return (
    <div className="flex items-baseline justify-between gap-4 py-1.5">
      <dt className="shrink-0 text-[0.8125rem] text-ink-soft">{label}</dt>
      <dd className="text-right text-[0.9375rem] font-semibold">{value}</dd>
    </div>
  );
}

export function SampleNotice() {
  const { t } = useTranslation();
  const proof = (key: "what" | "grade" | "closing" | "bond") => (
    <Highlight>{t(`home.proof.${key}`)}</Highlight>
  );
  return (
    <figure aria-label={t("home.proof.label")} className="relative mx-auto w-full max-w-[29rem] pb-36">
      {/* Newsprint keeps its paper colour in the dark theme, because it depicts paper. */}
      <div className="ml-auto w-[84%] rounded-sm border border-[#d8cfbb] bg-[#f6f1e4] px-6 py-5 text-[#2b281f] shadow-sheet">
        <p className="border-b border-[#2b281f]/50 pb-1 text-xs">{t("home.proof.paper")}</p>
        <p className="mt-3 text-center text-base font-bold tracking-wide">{t("home.proof.heading")}</p>
        <p className="mt-2 text-justify text-[0.8125rem] leading-[1.65] hyphens-auto">
          {t("home.proof.body1")} {proof("what")} {t("home.proof.body2")} {proof("grade")}{" "}
          {t("home.proof.body3")} {proof("closing")} {t("home.proof.body4")} {proof("bond")}
        </p>
        <div className="mt-4 mb-16 grid gap-2" aria-hidden>
          {[100, 94, 98, 60].map((width) => (
            <div key={width} className="h-1.5 rounded-full bg-[#2b281f]/12" style={{ width: `${width}%` }} />
          ))}
        </div>
      </div>
      <figcaption className="absolute bottom-0 left-0 w-[80%] rounded-xl border border-line bg-sheet px-5 py-4 shadow-sheet">
        <p className="mb-1 flex items-center gap-2 text-[0.8125rem] font-semibold text-accent">
          <ScanLine size={16} aria-hidden />
          {t("home.proof.read")}
        </p>
        <dl className="divide-y divide-line">
          <Field label={t("home.proof.whatLabel")} value={t("home.proof.what")} />
          <Field label={t("home.proof.gradeLabel")} value={t("home.proof.gradeValue")} />
          <Field label={t("home.proof.closingLabel")} value={t("home.proof.closingValue")} />
          <Field label={t("home.proof.bondLabel")} value={t("home.proof.bondValue")} />
        </dl>
      </figcaption>
    </figure>
  );
}
