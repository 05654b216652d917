import { expect, test } from "vitest";
import { FIELDS, shortcutOf } from "./shortcuts.ts";

/** What a key does that is pressed on an element. The first element of the markup is the target. */
function pressed(key: KeyboardEventInit, markup = "<p></p>") {
  document.body.innerHTML = markup;
  const target = document.body.querySelector("[data-target]") ?? document.body.firstElementChild;
  let found: ReturnType<typeof shortcutOf> = null;
  const listen = (event: KeyboardEvent) => {
    found = shortcutOf(event);
  };
  document.addEventListener("keydown", listen, { once: true });
  target?.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, ...key }));
  return found;
}

const ENTER = { key: "Enter", code: "Enter" };
const inForm = (control: string) => `<form ${FIELDS}>${control}</form>`;

test("the keys work wherever the focus is", () => {
  expect(pressed({ altKey: true, code: "KeyS", key: "s" })).toBe("source");
  expect(pressed({ altKey: true, code: "KeyN", key: "n" }, "<a href='/' data-target>Open</a>")).toBe("skip");
  expect(pressed(ENTER)).toBe("accept");
  expect(pressed(ENTER, inForm("<textarea data-target></textarea>"))).toBe("accept");
});

test("Enter belongs to a focused button, link or menu, and to fields of other forms", () => {
  for (const control of [
    "<button data-target></button>",
    "<a href='/' data-target></a>",
    "<div role='menu'><div role='menuitem' data-target></div></div>",
    "<input data-target>",
  ]) {
    expect(pressed(ENTER, control)).toBeNull();
  }
  expect(pressed(ENTER, inForm("<button data-target></button>"))).toBeNull();
});

test("a key that is held down, a new line, an unfinished word and AltGr decide nothing", () => {
  expect(pressed({ ...ENTER, repeat: true })).toBe("held");
  expect(pressed({ altKey: true, code: "KeyN", key: "n", repeat: true })).toBe("held");
  expect(pressed({ ...ENTER, shiftKey: true })).toBeNull();
  expect(pressed({ ...ENTER, isComposing: true })).toBeNull();
  expect(pressed({ altKey: true, ctrlKey: true, code: "KeyS", key: "ś" })).toBeNull();
});
