// The grades and fields of work of contractors, as forms offer them.

const numbered = (name: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${name}${at + 1}`);

/** The grades of the Construction Industry Development Authority, the highest of each class first. */
export const GRADES = [
  "CS2",
  "CS1",
  ...numbered("C", 10),
  ...numbered("EM", 5),
  ...numbered("GP", 10),
  ...numbered("SP", 10),
  ...numbered("M", 9),
];

/** The fields of work in which the authority registers contractors, as it names them. */
export const WORK_FIELDS = [
  "Building construction",
  "Highway construction",
  "Bridge construction",
  "Water supply and sewerage",
  "Irrigation and drainage canals",
  "Storm water disposal and land drainage",
  "Dredging and reclamation",
  "Heavy construction",
] as const;
