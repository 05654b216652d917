import { fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { Autocomplete } from "./Autocomplete.tsx";

const chosen = vi.fn();
const submitted = vi.fn((event: { preventDefault: () => void }) => event.preventDefault());

function Search() {
  const [text, setText] = useState("");
  return (
    <form onSubmit={submitted}>
      <Autocomplete
        aria-label="Search"
        listLabel="Suggestions"
        value={text}
        onType={setText}
        items={text.trim() === "" ? [] : [text, `${text} works`, `${text} repairs`]}
        keyOf={(item) => item}
        onChoose={chosen}
      >
        {(item) => item}
      </Autocomplete>
    </form>
  );
}

beforeEach(() => {
  chosen.mockClear();
  submitted.mockClear();
  Element.prototype.scrollIntoView = vi.fn();
  render(<Search />);
});

const field = () => screen.getByRole("combobox", { name: "Search" });
const options = () => screen.queryAllByRole("option").map(({ textContent }) => textContent);
const active = () =>
  document.getElementById(field().getAttribute("aria-activedescendant") ?? "")?.textContent;

it("suggests while typing and takes the first suggestion with Enter", async () => {
  expect(field()).toHaveAttribute("aria-expanded", "false");
  await userEvent.type(field(), "road");
  expect(field()).toHaveAttribute("aria-expanded", "true");
  expect(screen.getByRole("listbox", { name: "Suggestions" }).id).toBe(field().getAttribute("aria-controls"));
  expect(options()).toEqual(["road", "road works", "road repairs"]);
  expect(active()).toBe("road");
  await userEvent.keyboard("{Enter}");
  expect(chosen).toHaveBeenCalledExactlyOnceWith("road");
  expect(submitted).not.toHaveBeenCalled();
  expect(options()).toEqual([]);
});

it("moves through the list with the arrow keys, and starts at the top again after further input", async () => {
  await userEvent.type(field(), "road{ArrowDown}");
  expect(active()).toBe("road works");
  expect(screen.getByRole("option", { selected: true })).toHaveTextContent("road works");
  await userEvent.keyboard("{ArrowDown}{ArrowDown}{ArrowDown}");
  expect(active()).toBe("road repairs");
  await userEvent.keyboard("{ArrowUp}{ArrowUp}{ArrowUp}");
  expect(active()).toBe("road");
  await userEvent.keyboard("{ArrowDown}s");
  expect(active()).toBe("roads");
  await userEvent.keyboard("{ArrowDown}{Enter}");
  expect(chosen).toHaveBeenCalledExactlyOnceWith("roads works");
});

it("closes with Escape and keeps the input, opens again with an arrow key, and leaves Enter to the form", async () => {
  await userEvent.type(field(), "road{Escape}");
  expect(options()).toEqual([]);
  expect(field()).toHaveValue("road");
  await userEvent.keyboard("{Enter}");
  expect(submitted).toHaveBeenCalledOnce();
  await userEvent.keyboard("{ArrowDown}");
  expect(active()).toBe("road");
  await userEvent.tab();
  expect(options()).toEqual([]);
});

it("takes a clicked suggestion and keeps the focus", async () => {
  await userEvent.type(field(), "road");
  await userEvent.click(screen.getByRole("option", { name: "road repairs" }));
  expect(chosen).toHaveBeenCalledExactlyOnceWith("road repairs");
  expect(field()).toHaveFocus();
});

it("ignores keys while a letter is being composed", async () => {
  await userEvent.type(field(), "road");
  fireEvent.keyDown(field(), { key: "Enter", isComposing: true });
  fireEvent.keyDown(field(), { key: "ArrowDown", isComposing: true });
  expect(chosen).not.toHaveBeenCalled();
  expect(active()).toBe("road");
});
