// The bodies whose tenders an alert matches. The names of organisations are suggested while typing.

import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useEffect, useId, useState } from "react";
import { useTranslation } from "@/i18n/i18n.ts";
import { tenderSuggestions } from "@/shared/tender/suggestions.ts";
import { Autocomplete } from "@/ui/Autocomplete.tsx";
import { inputStyle } from "@/ui/Field.tsx";

const DEBOUNCE_MS = 200;

/** The typed text, and the organisations that begin or continue it. */
function useSuggestedBodies(text: string): string[] {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const { data = [] } = useQuery(tenderSuggestions(settled.trim()));
  if (text.trim() === "") return [];
  const names = data.filter(({ kind }) => kind === "organization").map(({ text }) => text);
  return [...new Set([text.trim(), ...names])];
}

interface BodiesFieldProps {
  bodies: readonly string[];
  onChange: (bodies: string[]) => void;
  error?: string | undefined;
}

export function BodiesField({ bodies, onChange, error }: BodiesFieldProps) {
  const { t } = useTranslation();
  const id = useId();
  const [text, setText] = useState("");
  const suggested = useSuggestedBodies(text);
  const add = (body: string) => {
    setText("");
    if (!bodies.includes(body)) onChange([...bodies, body]);
  };
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-[0.9375rem] font-semibold">
        {t("alerts.form.bodies")}
        <span className="font-normal text-ink-soft"> ({t("account.optional")})</span>
      </label>
      <p id={`${id}-help`} className="mb-1.5 text-sm text-ink-soft">
        {t("alerts.form.bodiesHelp")}
      </p>
      <Autocomplete
        id={id}
        className={`${inputStyle} w-full`}
        value={text}
        maxLength={200}
        onType={setText}
        items={suggested}
        keyOf={(name) => name}
        onChoose={add}
        listLabel={t("alerts.form.bodies")}
        aria-describedby={`${id}-help`}
        aria-invalid={error !== undefined || undefined}
      >
        {(name) => name}
      </Autocomplete>
      {error && <p className="mt-1 text-sm font-medium text-urgent">{error}</p>}
      {bodies.length > 0 && (
        <ul className="mt-2 grid gap-1.5" aria-label={t("alerts.form.bodies")}>
          {bodies.map((body) => (
            <li
              key={body}
              className="flex items-center justify-between gap-2 rounded-lg bg-well pl-3 text-[0.9375rem]"
            >
              <span className="min-w-0 break-words py-1.5">{body}</span>
              <button
                type="button"
                aria-label={t("publish.remove", { entry: body })}
                onClick={() => onChange(bodies.filter((other) => other !== body))}
                className="grid size-11 shrink-0 place-items-center rounded-lg text-ink-soft hover:text-urgent"
              >
                <X size={16} aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
