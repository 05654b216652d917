// The plans on sale with their prices per month.

import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { useTranslation } from "@/i18n/i18n.ts";
import { paths } from "@/shared/paths.ts";
import { planOffers } from "@/shared/plans/planOffers.ts";
import { Page } from "@/ui/Sheet.tsx";

const NAMES = ["free", "basic", "professional", "enterprise"] as const;

export function PlanPrices() {
  const { t } = useTranslation();
  const { data: plans } = useQuery(planOffers);
  if (!plans) return null;
  const offers = NAMES.flatMap((name) =>
    plans.filter((plan) => plan.name === name).map((plan) => ({ name, plan })),
  );
  return (
    <Page className="pt-7 sm:pt-14">
      <section>
        <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
          <h2 className="text-xl font-bold tracking-tight sm:text-2xl">{t("home.prices.title")}</h2>
          <Link to={paths.pricing} className="font-semibold text-accent hover:underline">
            {t("home.prices.compare")}
          </Link>
        </div>
        <ul className="mt-3 grid gap-px sm:mt-5 overflow-hidden rounded-xl border border-line bg-line sm:grid-cols-2 lg:grid-cols-4">
          {offers.map(({ name, plan }) => (
            <li key={name} className="bg-sheet px-4 py-2.5 sm:p-5">
              <div className="flex flex-wrap items-baseline justify-between gap-x-4 sm:block">
                <h3 className="font-semibold">
                  {name === "free" ? t("home.prices.free") : plan.displayName}
                </h3>
                <p className="text-xl font-bold tracking-tight sm:mt-1 sm:text-2xl">
                  LKR {plan.price.monthly.toLocaleString("en-LK")}
                  <span className="text-sm font-normal tracking-normal text-ink-soft">
                    {" "}
                    {t("home.prices.monthly")}
                  </span>
                </p>
              </div>
              <p className="text-[0.9375rem] text-ink-soft sm:mt-2">
                {plan.features.maxTenderViews < 0
                  ? t("home.prices.unlimited")
                  : t("home.prices.views", { number: plan.features.maxTenderViews })}{" "}
                {t(`home.prices.with.${name}`)}
              </p>
            </li>
          ))}
        </ul>
      </section>
    </Page>
  );
}
