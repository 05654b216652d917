// The names of fields as reviewers see them.

import { useTranslation } from "@/i18n/i18n.ts";

/** Returns a function that names a field by its path. */
export function useFieldLabel() {
  const { t } = useTranslation();
  const known: Record<string, string> = {
    title: t("operate.review.field.title"),
    "organization.name": t("operate.review.field.organization"),
    referenceNo: t("operate.review.field.reference"),
    "dates.closing": t("operate.review.field.closing"),
    "dates.opening": t("operate.review.field.opening"),
    "dates.published": t("operate.review.field.published"),
    category: t("operate.review.field.category"),
    kind: t("operate.review.field.kind"),
    description: t("operate.review.field.description"),
    "location.district": t("operate.review.field.district"),
    "location.city": t("operate.review.field.city"),
    "financials.bidBond.amount": t("operate.review.field.bidSecurity"),
    "documentFee.amount": t("operate.review.field.documentFee"),
    "organization.contactPerson.phone": t("operate.review.field.phone"),
    "organization.contactPerson.email": t("operate.review.field.email"),
    "preBid.at": t("operate.review.field.preBid"),
    "documentFee.saleUntil": t("operate.review.field.saleUntil"),
    "documentFee.saleFrom": t("operate.review.field.saleFrom"),
    cida: t("operate.review.field.grades"),
    lots: t("operate.review.field.lots"),
    method: t("operate.review.field.method"),
    language: t("operate.review.field.language"),
    "organization.type": t("operate.review.field.organizationType"),
  };
  // A field without a name of its own is shown by its path.
  return (path: string) => known[path] ?? path;
}
