// The English texts of the pages for administrators. They are not translated, and load with the
// first of these pages.

import texts from "./operate.json";

export const operate = { operate: texts };
