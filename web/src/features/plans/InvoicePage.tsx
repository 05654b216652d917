// One invoice on the screen and in print.

import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatDay } from "@/shared/format/dates.ts";
import { Metadata } from "@/shared/page/Metadata.tsx";
import { PrintablePage } from "@/shared/page/PrintablePage.tsx";
import { paths } from "@/shared/paths.ts";
import { planName } from "@/shared/plans/plans.ts";
import { Protected } from "@/shared/session/Protected.tsx";
import { type Invoice, ownInvoice } from "./api.ts";
import { formatExactPrice } from "./prices.ts";

function InvoiceParty({ title, party }: { title: string; party: Invoice["seller"] }) {
  const { t } = useTranslation();
  const vat = party.vatNumber && t("plans.invoice.vatNumber", { number: party.vatNumber });
  const lines = [party.company, party.name, party.address, party.phone, party.email, vat];
  return (
    <div>
      <h2 className="text-sm font-semibold text-ink-soft">{title}</h2>
      {lines.filter(Boolean).map((line) => (
        <p key={line} className="break-words">
          {line}
        </p>
      ))}
    </div>
  );
}

function TotalRow({ label, amount, strong }: { label: string; amount: string; strong?: boolean }) {
  return (
    <tr className={strong ? "font-semibold" : ""}>
      <th scope="row" className="py-1 pr-4 text-right font-[inherit]">
        {label}
      </th>
      <td className="py-1 text-right whitespace-nowrap tabular-nums">{amount}</td>
    </tr>
  );
}

function InvoiceSheet({ invoice }: { invoice: Invoice }) {
  const { t } = useTranslation();
  const { currency, seller, vatRate } = invoice;
  const money = (amount: number) =>
    amount < 0 ? `− ${formatExactPrice(-amount, currency)}` : formatExactPrice(amount, currency);
  return (
    <article className="rounded-2xl border border-line bg-sheet px-5 py-7 shadow-sheet sm:px-9 sm:py-9 print:border-0 print:p-0 print:shadow-none">
      <div className="flex flex-wrap items-start justify-between gap-4">
        <div>
          <h1 className="text-2xl font-bold tracking-tight">
            {t(vatRate === null ? "plans.invoice.title" : "plans.invoice.taxTitle")}
          </h1>
          <p className="mt-1 tabular-nums">{invoice.number}</p>
          <p className="text-ink-soft">{formatDay(invoice.issuedAt)}</p>
        </div>
        <p className="text-lg font-semibold text-accent">{t("shell.name")}</p>
      </div>
      <div className="mt-8 grid gap-6 text-[0.9375rem] sm:grid-cols-2">
        <InvoiceParty
          title={t("plans.invoice.from")}
          party={{ ...seller, name: seller.name ?? t("shell.name") }}
        />
        <InvoiceParty title={t("plans.invoice.to")} party={invoice.buyer} />
      </div>
      <table className="mt-8 w-full text-[0.9375rem]">
        <thead>
          <tr className="border-b border-line text-left text-sm text-ink-soft">
            <th scope="col" className="py-2 pr-4 font-semibold">
              {t("plans.invoice.what")}
            </th>
            <th scope="col" className="py-2 text-right font-semibold">
              {t("plans.invoice.amount")}
            </th>
          </tr>
        </thead>
        <tbody>
          {invoice.lines.map(({ kind, plan, billingCycle, from, until, amount }) => (
            <tr key={kind} className="border-b border-line align-top">
              <td className="py-3 pr-4">
                {t(kind === "credit" ? "plans.invoice.credit" : `plans.invoice.line.${billingCycle}`, {
                  plan: planName(plan, t),
                })}
                <span className="block text-sm text-ink-soft">
                  {t("plans.invoice.period", { from: formatDay(from), until: formatDay(until) })}
                </span>
              </td>
              <td className="py-3 text-right whitespace-nowrap tabular-nums">{money(amount)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <table className="mt-4 ml-auto text-[0.9375rem]">
        <tbody>
          {vatRate !== null && (
            <>
              <TotalRow label={t("plans.invoice.net")} amount={money(invoice.net)} />
              <TotalRow label={t("plans.invoice.vat", { rate: vatRate })} amount={money(invoice.vat)} />
            </>
          )}
          <TotalRow label={t("plans.invoice.total")} amount={money(invoice.total)} strong />
        </tbody>
      </table>
      <p className="mt-8 text-sm break-all text-ink-soft">
        {t("plans.invoice.paid", { payment: `${invoice.provider} ${invoice.payment}` })}
      </p>
    </article>
  );
}

function InvoiceById({ id }: { id: string }) {
  const { t } = useTranslation();
  const { data, error } = useQuery(ownInvoice(id));
  return (
    <PrintablePage
      back={{ to: paths.account, label: t("plans.invoice.back") }}
      printLabel={t("plans.invoice.print")}
      loadingLabel={t("plans.invoice.loading")}
      error={error}
      failure={t("plans.invoice.failed")}
    >
      {data && <InvoiceSheet invoice={data} />}
    </PrintablePage>
  );
}

export function Component() {
  const { t } = useTranslation();
  const { id = "" } = useParams();
  return (
    <>
      <Metadata
        title={t("plans.invoice.title")}
        description={t("plans.description")}
        keywords={t("plans.keywords")}
        unlisted
      />
      <Protected>{() => <InvoiceById id={id} />}</Protected>
    </>
  );
}
