// Titles and names that newspapers print in capitals, in the form in which the other titles are printed.
// No list of names is needed: a place keeps its capital, as all long words of a title do.

/** A text in capitals with fewer words may consist of abbreviations. It is loud only with two plain words. */
const MIN_WORDS = 4;
/** The number of letters from which a word with a vowel is a plain word, unless it is a known abbreviation. */
const MIN_PLAIN_LETTERS = 4;
/** The part of the letters that are capitals from which a text counts as printed in capitals. */
const MIN_CAPITALS = 0.8;

/** Words that are written without a capital, unless a title begins with them. */
const SMALL_WORDS = new Set(
  "a an and as at by for from in into its of off on or over per the to under up upon via with within".split(
    " ",
  ),
);

/** Words of up to three letters that are no abbreviations. Other short words stay as they are printed. */
const SHORT_WORDS = new Set(
  (
    "act add age aid air all any are art bag bar bay bed bid bin bio bot box bus cab can cap car co cut " +
    "dam day die dry due ear ela end eye fan far few fit fly fog fox fun gas gel gem gum gun her his hot " +
    "ice ink ja jam jar jet job key kit lab law lot low man map mat may men mid new non not nut oil old " +
    "one our out own oya pay pen pet pin pit pot pre raw ray re red rod row rug run sea set she sir six " +
    "sky sri sub sun tap tar tax tea ten tie tin tip top toy tub two use uva van war was way we web wet " +
    "you zoo"
  ).split(" "),
);

/** Words with a form of their own: abbreviations that are no capitals, and units. */
const FORMS: Readonly<Record<string, string>> = {
  no: "No",
  nos: "Nos",
  rs: "Rs",
  pvt: "Pvt",
  ltd: "Ltd",
  dr: "Dr",
  mr: "Mr",
  mrs: "Mrs",
  st: "St",
  km: "km",
  mm: "mm",
  cm: "cm",
  kg: "kg",
  kv: "kV",
  kva: "kVA",
  kw: "kW",
  kwh: "kWh",
  mw: "MW",
  mva: "MVA",
  ha: "ha",
  sq: "sq",
  ft: "ft",
  ml: "ml",
  m2: "m2",
  m3: "m3",
};

/** Abbreviations that look like words. Those without a vowel, and those of up to three letters, need no entry. */
const ACRONYMS = new Set(
  (
    "AIDS CECB CIDA COPE GOSL HDPE ICTA JICA LECO MASL MEPA NAITA NARA NHDA NITA PABX PUCSL SLBFE SLIIT SLPA " +
    "SLTDA TVEC UNDP UNESCO UNICEF UPVC USAID"
  ).split(" "),
);

const ROMAN = /^[IVX]+$/;
const VOWEL = /[AEIOUY]/;
const ANY_INDIC = /[\p{Script=Sinhala}\p{Script=Tamil}]/u;

/** Whether a text is printed in capitals. */
function isShouted(text: string): boolean {
  if (ANY_INDIC.test(text)) return false;
  const letters = text.match(/[A-Za-z]/g) ?? [];
  const capitals = text.match(/[A-Z]/g) ?? [];
  const words = text.match(/[A-Za-z]{2,}/g) ?? [];
  const isPlain = (word: string) =>
    word.length >= MIN_PLAIN_LETTERS && VOWEL.test(word) && !ACRONYMS.has(word);
  return (
    capitals.length > MIN_CAPITALS * letters.length &&
    (words.length >= MIN_WORDS || words.filter(isPlain).length > 1)
  );
}

/** The form of a word in capitals. `isFirst`: the text begins with it. */
function wordForm(word: string, isFirst: boolean): string {
  const lower = word.toLowerCase();
  const capitalised = `${word.slice(0, 1)}${lower.slice(1)}`;
  if (SMALL_WORDS.has(lower)) return isFirst ? capitalised : lower;
  const form = FORMS[lower];
  if (form) return form;
  const [stem = ""] = word.split(/['’]/);
  if (ROMAN.test(stem) || ACRONYMS.has(stem) || !VOWEL.test(stem)) return word;
  if (stem.length <= 3 && !SHORT_WORDS.has(stem.toLowerCase())) return word;
  return capitalised;
}

/** Whether a part of a text is an abbreviation with dots, a number or a word with digits. */
function isCode(part: string): boolean {
  return /\d/.test(part) || /^(?:[A-Z]\.){2,}[A-Z]?$/.test(part);
}

/** The parts of a text: references such as "RDA/WP/118", single words in brackets, and words. */
const PART = /[^\s()]*\/[^\s()]*\d[^\s()]*|\([A-Z]{2,6}\)|[^\s()[\],;:/"“”–—-]+/g;

/**
 * The form in which the screens show a printed title or name. If it is printed in capitals, its words begin
 * with a capital and continue in small letters, but abbreviations, numerals, references, and a single word
 * in brackets stay as printed. The length never changes, so that the places of found words stay valid.
 */
export function displayTitle(printed: string): string {
  if (!isShouted(printed)) return printed;
  const first = printed.search(/[A-Z]/);
  return printed.replace(PART, (part, at: number) => {
    if (part.startsWith("(")) {
      const inside = part.slice(1, -1);
      return `(${FORMS[inside.toLowerCase()] ?? inside})`;
    }
    if (isCode(part)) return FORMS[part.toLowerCase()] ?? part;
    return part.replace(/[A-Z][A-Z'’]*/g, (word, within: number) =>
      // A part such as "Kandy" or "km" is printed as it should be.
      part.toUpperCase() === part ? wordForm(word, at + within === first) : word,
    );
  });
}
