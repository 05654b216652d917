// Sets the theme before anything is painted: light, dark, or as the device says. The page loads this file before its
// body, as a file of its own because the content security policy permits no script within the page.

(() => {
  const device = window.matchMedia("(prefers-color-scheme: dark)");

  function remembered() {
    try {
      return window.localStorage.getItem("theme");
    } catch {
      return null;
    }
  }

  let choice = remembered();

  function apply() {
    const theme = choice === "light" || choice === "dark" ? choice : device.matches ? "dark" : "light";
    document.documentElement.dataset.theme = theme;
    document.querySelector('meta[name="color-scheme"]')?.setAttribute("content", theme);
    const colour = document.querySelector('meta[name="theme-color"]');
    colour?.setAttribute("content", colour.getAttribute(`data-${theme}`) ?? "");
  }

  apply();
  // The server's first words are English and a guest's: readers of another language wait for theirs.
  try {
    const language = window.localStorage.getItem("language") ?? navigator.languages?.[0] ?? "en";
    if (/^(si|ta)/i.test(language)) {
      const hidden = document.createElement("style");
      hidden.textContent = ".first-page { display: none }";
      document.head.append(hidden);
    }
  } catch {
    // Nothing is remembered: the words stand.
  }
  device.addEventListener?.("change", apply);
  // The app tells of a choice by this event.
  window.addEventListener("theme", (event) => {
    choice = event.detail;
    apply();
  });
  // Another tab remembered a choice.
  window.addEventListener("storage", (event) => {
    if (event.key === "theme" || event.key === null) {
      choice = remembered();
      apply();
    }
  });
})();
