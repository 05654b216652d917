// The About page: the company, its mission, the audience, how a notice becomes a tender, and the
// disclaimer.

import { Building2, Scale, Target, Users } from "lucide-react";
import { settings } from "@/api/settings.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { Metadata } from "@/shared/page/Metadata.tsx";
import { Page } from "@/ui/Sheet.tsx";

const CARDS = [
  { key: "company", icon: Building2 },
  { key: "mission", icon: Target },
  { key: "audience", icon: Users },
] as const;

const STEPS = ["read", "checked", "joined"] as const;

export function Component() {
  const { t } = useTranslation();
  const { companyName, companyAddress } = settings.company;
  return (
    <Page className="py-10">
      <Metadata
        title={t("company.about.title")}
        description={t("company.about.description")}
        keywords={t("company.about.keywords")}
      />
      <h1 className="text-3xl font-bold tracking-tight">{t("company.about.title")}</h1>
      <p className="mt-3 max-w-[60ch] text-lg text-ink-soft">{t("company.about.lead")}</p>
      <ul className="mt-8 grid gap-4 md:grid-cols-3">
        {CARDS.map(({ key, icon: Icon }) => (
          <li key={key} className="rounded-xl border border-line bg-sheet p-5">
            <Icon size={24} strokeWidth={1.75} aria-hidden className="text-accent" />
            <h2 className="mt-3 font-semibold">{t(`company.about.cards.${key}.title`)}</h2>
            <p className="mt-1 text-[0.9375rem] text-ink-soft">{t(`company.about.cards.${key}.text`)}</p>
            {key === "company" && (companyName || companyAddress) && (
              <p className="mt-2 text-[0.9375rem]">
                {[companyName, companyAddress].filter(Boolean).join(", ")}
              </p>
            )}
          </li>
        ))}
      </ul>
      <section className="mt-10 max-w-[70ch]">
        <h2 className="text-xl font-semibold">{t("company.about.how.title")}</h2>
        <ol className="mt-3 list-decimal space-y-2 pl-5">
          {STEPS.map((step) => (
            <li key={step}>{t(`company.about.how.${step}`)}</li>
          ))}
        </ol>
      </section>
      <section className="mt-10 flex max-w-[70ch] items-start gap-4 rounded-xl bg-well px-5 py-5">
        <Scale size={22} aria-hidden className="mt-0.5 shrink-0 text-ink-soft" />
        <div>
          <h2 className="font-semibold">{t("company.about.disclaimer.title")}</h2>
          <p className="mt-1 text-[0.9375rem]">{t("company.about.disclaimer.text")}</p>
        </div>
      </section>
    </Page>
  );
}
