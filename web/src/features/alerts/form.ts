// The form of an alert. Numbers stay strings until the form is sent. Messages are keys in
// `alerts.need`.

import { z } from "zod";
import { enumValues, parseEnum } from "@/api/enums.ts";
import type { components } from "@/api/schema.gen.ts";
import type { TenderStatus } from "@/api/types.ts";
import {
  ALL_DISTRICTS,
  CURRENCIES,
  ORGANIZATION_TYPES,
  PRIORITIES,
  PROVINCES,
  TOPICS,
} from "@/shared/tender/vocabulary.ts";
import type { Alert, AlertBody, AlertQuery } from "./api.ts";

// Without this setting, zod generates code at runtime, which the content security policy forbids.
z.config({ jitless: true });

type Schemas = components["schemas"];

export const MAX_KEYWORDS = 20;
export const MATCH_TYPES = enumValues<Schemas["MatchType"]>()(
  "contains",
  "exact",
  "starts_with",
  "ends_with",
);
export const FREQUENCIES = enumValues<Schemas["Frequency"]>()("immediate", "daily", "weekly");
export const STATUSES = [
  "published",
  "closed",
  "awarded",
  "cancelled",
] as const satisfies readonly TenderStatus[];
const CHANNELS = enumValues<Schemas["Direct"]>()("sms", "whatsapp", "webhook");

const amount = z.string().refine((text) => text.trim() === "" || Number(text) >= 0, "amount");
const days = z
  .string()
  .refine((text) => text.trim() === "" || (/^\d+$/.test(text.trim()) && Number(text) <= 365), "days");

const isOrdered = (min: string, max: string) =>
  min.trim() === "" || max.trim() === "" || Number(min) <= Number(max);

export const alertSchema = z
  .object({
    name: z.string().trim().min(1, "name").max(100, "nameLong"),
    description: z.string().trim().max(500, "descriptionLong"),
    keywords: z
      .array(
        z.object({
          term: z
            .string()
            .trim()
            .max(50, "keywordLong")
            .refine((term) => term === "" || /[\p{L}\p{N}]/u.test(term), "keywordEmpty"),
          matchType: z.enum(MATCH_TYPES),
        }),
      )
      .max(MAX_KEYWORDS, "keywordsMany"),
    enabled: z.boolean(),
    frequency: z.enum(FREQUENCIES),
    dailySummaryTime: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "time"),
    customEmail: z.union([z.literal(""), z.email("email")]),
    channels: z.array(z.enum(CHANNELS)),
    categories: z.array(z.enum(TOPICS)).max(10, "categoriesMany"),
    organizationTypes: z.array(z.enum(ORGANIZATION_TYPES)),
    bodies: z.array(z.string().max(200, "bodyLong")).max(20, "bodiesMany"),
    titleAndScopeOnly: z.boolean(),
    provinces: z.array(z.enum(PROVINCES)),
    districts: z.array(z.enum(ALL_DISTRICTS)),
    cities: z.array(z.string().max(100, "cityLong")).max(25, "citiesMany"),
    minValue: amount,
    maxValue: amount,
    currency: z.enum(CURRENCIES),
    excludeKeywords: z.array(z.string().max(50, "keywordLong")).max(10, "excludesMany"),
    minDays: days,
    maxDays: days,
    statuses: z.array(z.enum(STATUSES)),
    priorities: z.array(z.enum(PRIORITIES)),
  })
  .superRefine(({ keywords, bodies }, context) => {
    if (bodies.length > 0) return;
    if (keywords.length === 0) context.addIssue({ code: "custom", path: ["keywords"], message: "keywords" });
    for (const [nth, { term }] of keywords.entries()) {
      if (term === "") {
        context.addIssue({ code: "custom", path: ["keywords", nth, "term"], message: "keyword" });
      }
    }
  })
  .refine(({ minValue, maxValue }) => isOrdered(minValue, maxValue), {
    path: ["minValue"],
    message: "values",
  })
  .refine(({ minDays, maxDays }) => isOrdered(minDays, maxDays), { path: ["minDays"], message: "daysOrder" });

export type AlertForm = z.infer<typeof alertSchema>;

export const newAlert: AlertForm = {
  name: "",
  description: "",
  keywords: [{ term: "", matchType: "contains" }],
  enabled: true,
  frequency: "immediate",
  dailySummaryTime: "09:00",
  customEmail: "",
  channels: [],
  categories: [],
  organizationTypes: [],
  bodies: [],
  titleAndScopeOnly: false,
  provinces: [],
  districts: [],
  cities: [],
  minValue: "",
  maxValue: "",
  currency: "LKR",
  excludeKeywords: [],
  minDays: "",
  maxDays: "",
  statuses: ["published"],
  priorities: [],
};

const toText = (number: number | null | undefined) => (number == null ? "" : String(number));
const toNumber = (text: string) => (text.trim() === "" ? null : Number(text));

/** The form fields of what an alert matches. Without a keyword, there is an empty one to fill in. */
function queryFields(query: AlertQuery) {
  const { locations, estimatedValue, advancedFilters } = query;
  const keywords = (query.keywords ?? []).map(({ term, matchType }) => ({
    term: term ?? "",
    matchType: matchType ?? ("contains" as const),
  }));
  return {
    keywords: keywords.length > 0 ? keywords : newAlert.keywords,
    categories: [...(query.categories ?? [])],
    organizationTypes: [...(query.organizationTypes ?? [])],
    bodies: [...(query.bodies ?? [])],
    titleAndScopeOnly: query.titleAndScopeOnly ?? false,
    provinces: [...(locations?.provinces ?? [])],
    districts: [...(locations?.districts ?? [])],
    cities: [...(locations?.cities ?? [])],
    minValue: toText(estimatedValue?.min),
    maxValue: toText(estimatedValue?.max),
    currency: estimatedValue?.currency ?? "LKR",
    excludeKeywords: [...(advancedFilters?.excludeKeywords ?? [])],
    minDays: toText(advancedFilters?.minDaysUntilClosing),
    maxDays: toText(advancedFilters?.maxDaysUntilClosing),
    statuses: (advancedFilters?.includedStatuses ?? [])
      .map((status) => parseEnum(STATUSES, status))
      .filter((status) => status !== null),
    priorities: [...(advancedFilters?.includedPriorities ?? [])],
  } satisfies Partial<AlertForm>;
}

/** The form with a proposed query in place of its own. */
export function withQuery(form: AlertForm, query: AlertQuery): AlertForm {
  return { ...form, ...queryFields(query) };
}

/** Converts an alert to form values. */
export function toForm(alert: Alert): AlertForm {
  const { emailSettings } = alert;
  return {
    name: alert.name,
    description: alert.description ?? "",
    enabled: emailSettings.enabled,
    frequency: emailSettings.frequency,
    dailySummaryTime: emailSettings.dailySummaryTime,
    customEmail: emailSettings.customEmail ?? "",
    channels: [...alert.channels],
    ...queryFields(alert),
  };
}

/** Converts a form to the request body. */
export function toBody(form: AlertForm): AlertBody {
  return {
    name: form.name.trim(),
    description: form.description.trim() || null,
    keywords: form.keywords
      .map(({ term, matchType }) => ({ term: term.trim(), matchType }))
      .filter(({ term }) => term !== ""),
    categories: form.categories,
    organizationTypes: form.organizationTypes,
    ...(form.bodies.length > 0 && { bodies: form.bodies }),
    ...(form.titleAndScopeOnly && { titleAndScopeOnly: true }),
    locations: {
      provinces: form.provinces,
      districts: form.districts,
      cities: form.cities,
    },
    estimatedValue: { min: toNumber(form.minValue), max: toNumber(form.maxValue), currency: form.currency },
    emailSettings: {
      enabled: form.enabled,
      frequency: form.frequency,
      customEmail: form.customEmail.trim() || null,
      dailySummaryTime: form.dailySummaryTime,
    },
    channels: form.channels,
    advancedFilters: {
      excludeKeywords: form.excludeKeywords,
      minDaysUntilClosing: toNumber(form.minDays),
      maxDaysUntilClosing: toNumber(form.maxDays),
      includedStatuses: form.statuses,
      includedPriorities: form.priorities,
    },
  };
}

/**
 * The request body for the preview of a form; `null` without keywords or with invalid values. The
 * name, the description and the recipient's address may be unfinished.
 */
export function toPreviewBody(form: AlertForm): AlertBody | null {
  const keywords = form.keywords.filter(({ term }) => term.trim() !== "");
  const checked = alertSchema.safeParse({
    ...form,
    name: "preview",
    description: "",
    customEmail: "",
    keywords,
  });
  if (!checked.success) return null;
  const { emailSettings, name: _, description: __, ...body } = toBody(checked.data);
  // Of the mail settings, only the frequency affects the preview.
  return { ...body, emailSettings: { frequency: emailSettings?.frequency ?? "immediate" } };
}
