// The operator's contacts, for the contact page and its structured data.

import type { Company } from "@/api/settings.ts";

/**
 * The contacts to show; `null` for those that are not set. Without a contact phone or address, the
 * company's own is shown.
 */
export function contactDetails(company: Company) {
  return {
    email: company.contactEmail,
    phone: company.contactPhone ?? company.companyPhone,
    address: company.contactAddress ?? company.companyAddress,
    enterprise: company.enterpriseContact,
  };
}

/** The operator as a schema.org Organization, with the area, languages and hours of support. */
export function organizationSchema(company: Company, portalName: string): object {
  const { email, phone, address } = contactDetails(company);
  return {
    "@type": "Organization",
    name: company.companyName ?? portalName,
    ...(address && { address }),
    contactPoint: {
      "@type": "ContactPoint",
      contactType: "customer support",
      areaServed: "LK",
      availableLanguage: ["en", "si"],
      ...(email && { email }),
      ...(phone && { telephone: phone }),
      hoursAvailable: {
        "@type": "OpeningHoursSpecification",
        dayOfWeek: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"],
        opens: "09:00:00+05:30",
        closes: "17:00:00+05:30",
      },
    },
  };
}
