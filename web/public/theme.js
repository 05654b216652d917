// Sets the theme before anything is painted: light, dark, or the device's. The page loads this file
// before its body. It is a separate file because the content security policy forbids inline
// scripts and styles.

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
  // The server prerenders the page in English for guests. In another language, that page is hidden
  // until the app shows its own texts.
  try {
    const language = window.localStorage.getItem("language") ?? navigator.languages?.[0] ?? "en";
    if (/^(si|ta)/i.test(language)) {
      const hidden = new CSSStyleSheet();
      hidden.replaceSync(".first-page { display: none }");
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, hidden];
    }
  } catch {
    // Without storage or constructed style sheets, the English texts stay visible.
  }
  device.addEventListener?.("change", apply);
  // The app sends this event when the user chooses a theme.
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
