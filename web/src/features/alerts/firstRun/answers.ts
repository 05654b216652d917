// The answers to the first questions, and what is made of them: an alert, a saved search, and a part of the
// company profile.

import { parseEnum } from "@/api/enums.ts";
import type { Company } from "@/api/types.ts";
import { ownSectors } from "@/shared/ownSectors.ts";
import { paths } from "@/shared/paths.ts";
import { noFilters, toSearchQuery, writeFilters } from "@/shared/tender/filters.ts";
import { KEYWORD_SEPARATOR, KEYWORDS_PARAMETER, NEW_ALERT_PARAMETER } from "@/shared/tender/newAlertPath.ts";
import { ALL_DISTRICTS, type District, type Sector } from "@/shared/tender/vocabulary.ts";
import { type AlertForm, MAX_KEYWORDS, newAlert } from "../form.ts";
import { WORKS, type Work } from "./works.ts";

export interface Answers {
  sectors: Sector[];
  works: Work["key"][];
  /** Words of the user's own. */
  words: string[];
  districts: District[];
  grades: { grade: string; field: string }[];
  /** Keywords that the preview offered, such as those in other languages. */
  offered: AlertForm["keywords"];
}

export const noAnswers: Answers = {
  sectors: [],
  works: [],
  words: [],
  districts: [],
  grades: [],
  offered: [],
};

const MAX_KEYWORD_LENGTH = 50;
const MAX_NAME_LENGTH = 100;

/** The works to choose from: those of the chosen sectors, or all. */
export function offeredWorks({ sectors }: Answers): Work[] {
  return WORKS.filter(({ sector }) => sectors.length === 0 || sectors.includes(sector));
}

/** The words of the alert: those chosen and entered, else all that are usual in the chosen sectors. */
function terms(answers: Answers): string[] {
  const chosen = offeredWorks(answers).filter(({ key }) => answers.works.includes(key));
  const own = answers.words.map((word) => word.trim().slice(0, MAX_KEYWORD_LENGTH)).filter(Boolean);
  const found = [...chosen.map(({ term }) => term), ...own];
  if (found.length > 0 || answers.sectors.length === 0) return found;
  return offeredWorks(answers).map(({ term }) => term);
}

/** Whether the answers say enough for an alert. */
export function isAnswered(answers: Answers): boolean {
  return terms(answers).length > 0;
}

/** The alert that the answers make. `name` is cut to what an alert's name may have. */
export function alertFrom(answers: Answers, name: string): AlertForm {
  const own = terms(answers).map((term) => ({ term, matchType: "contains" as const }));
  const keywords = [...own, ...answers.offered];
  return {
    ...newAlert,
    name: name.slice(0, MAX_NAME_LENGTH),
    keywords: (keywords.length > 0 ? keywords : newAlert.keywords).slice(0, MAX_KEYWORDS),
    categories: answers.sectors,
    districts: answers.districts,
  };
}

/** The address of the form for the same alert, for users whose plan has no alerts yet. */
export function alertPathFrom(answers: Answers): string {
  const { sectors, districts } = answers;
  const query = writeFilters({ ...noFilters, advanced: { sectors, districts } });
  const words = terms(answers).slice(0, MAX_KEYWORDS);
  if (words.length > 0) query.set(KEYWORDS_PARAMETER, words.join(KEYWORD_SEPARATOR));
  query.set(NEW_ALERT_PARAMETER, "1");
  return `${paths.alerts}?${query}`;
}

/**
 * The searches to save, the closest first. A plan without advanced search takes only the last one, which has
 * at most a single sector and a single word.
 */
export function searchesFrom(answers: Answers): string[] {
  const { sectors, districts, words, works } = answers;
  const [word] = terms(answers);
  const search = word !== undefined && words.length + works.length === 1 ? word : "";
  const [sector] = sectors;
  const quick = { ...noFilters, search, category: sectors.length === 1 && sector ? sector : null };
  const advanced = { ...(sectors.length > 1 && { sectors }), ...(districts.length > 0 && { districts }) };
  return [...new Set([toSearchQuery({ ...quick, advanced }), toSearchQuery(quick)])];
}

/** The answers that the profile has already. Its registrations tell the sectors. */
export function answersOf(company: Company): Answers {
  const { cida = [], districts = [] } = company;
  const known = districts.filter((district) => parseEnum(ALL_DISTRICTS, district) !== null);
  return {
    ...noAnswers,
    sectors: ownSectors(company),
    grades: cida.map(({ grade, field }) => ({ grade, field })),
    districts: known as District[],
  };
}

/** The profile with the grades and districts of the answers, beside what it has. */
export function companyWith(company: Company, { grades, districts }: Answers): Company {
  const held = company.cida ?? [];
  const added = grades
    .map(({ grade, field }) => ({ grade, field: field.trim() }))
    .filter(({ grade, field }) => grade !== "" && field !== "")
    .filter((one) => !held.some(({ grade, field }) => grade === one.grade && field === one.field));
  return {
    ...company,
    cida: [...held, ...added],
    districts: [...new Set([...(company.districts ?? []), ...districts])],
  };
}
