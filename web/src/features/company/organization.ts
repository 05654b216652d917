// Who runs the portal and how to reach them, for the contact page and for its structured data.

import type { Company } from "@/api/settings.ts";

/** What can be reached; what is not set is not said. */
export function contactDetails(company: Company) {
  return {
    email: company.contactEmail,
    phone: company.contactPhone ?? company.companyPhone,
    address: company.contactAddress ?? company.companyAddress,
    enterprise: company.enterpriseContact,
  };
}

/** The organisation as schema.org has it, with the support's area, languages and hours. */
export function organizationSchema(company: Company, portal: string): object {
  const { email, phone, address } = contactDetails(company);
  return {
    "@type": "Organization",
    name: company.companyName ?? portal,
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
