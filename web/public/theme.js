// Sets the theme before anything is painted. The content security policy forbids inline scripts.

(() => {
  const device = window.matchMedia("(prefers-color-scheme: dark)");

  function storedChoice() {
    try {
      return window.localStorage.getItem("theme");
    } catch {
      return null;
    }
  }

  let choice = storedChoice();

  function apply() {
    const theme = choice === "light" || choice === "dark" ? choice : device.matches ? "dark" : "light";
    document.documentElement.dataset.theme = theme;
    document.querySelector('meta[name="color-scheme"]')?.setAttribute("content", theme);
    const colour = document.querySelector('meta[name="theme-color"]');
    colour?.setAttribute("content", colour.getAttribute(`data-${theme}`) ?? "");
  }

  apply();
  // Hides the prerendered page, which is in English, from readers of other languages.
  try {
    const language = window.localStorage.getItem("language") ?? navigator.languages?.[0] ?? "en";
    if (/^(si|ta)/i.test(language)) {
      const hidden = new CSSStyleSheet();
      hidden.replaceSync(".first-page { display: none }");
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, hidden];
    }
  } catch {
    // The English texts stay visible.
  }
  device.addEventListener?.("change", apply);
  // The user chose a theme.
  window.addEventListener("theme", (event) => {
    choice = event.detail;
    apply();
  });
  // Another tab stored a choice.
  window.addEventListener("storage", (event) => {
    if (event.key === "theme" || event.key === null) {
      choice = storedChoice();
      apply();
    }
  });
})();
