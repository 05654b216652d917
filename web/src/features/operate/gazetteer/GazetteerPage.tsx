// The page of the gazetteer: names that reviewers entered and that an administrator confirms, so that
// the readers know them.

import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { BookMarked, Check, MapPin, Plus, X } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { Link, useNavigate } from "react-router";
import { parseEnum } from "@/api/enums.ts";
import { ApiError } from "@/api/error.ts";
import type { GazetteerName, GazetteerNameForm } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { ConfirmDialog } from "@/shared/dialogs/ConfirmDialog.tsx";
import { paths } from "@/shared/paths.ts";
import { ALL_DISTRICTS } from "@/shared/tender/vocabulary.ts";
import { ActionMenu } from "@/ui/ActionMenu.tsx";
import { Badge } from "@/ui/Badge.tsx";
import { Button } from "@/ui/Button.tsx";
import { SelectField, TextArea, TextField } from "@/ui/Field.tsx";
import { EmptyState } from "@/ui/StatusMessages.tsx";
import { useFilters, useSearchText } from "../filters.ts";
import { OperatePage } from "../OperatePage.tsx";
import { PartialList } from "../PartialList.tsx";
import { formOf, NAME_STATES, type NameFilters, nameList, useSaveName } from "./gazetteer.ts";

const ORGANIZATION_TYPES = ["government", "semi-government", "private", "ngo"] as const;
const KINDS = ["organization", "town"] as const;

/** Edits a name. Without `name`, a new one. */
function NameDialog({ name, onClose }: { name?: GazetteerName; onClose: () => void }) {
  const { t } = useTranslation();
  const formId = useId();
  const known = name?.thing;
  const [text, setText] = useState(name?.name ?? "");
  const [spellings, setSpellings] = useState(name?.spellings.join("\n") ?? "");
  const [kind, setKind] = useState<(typeof KINDS)[number]>(known?.kind ?? "organization");
  const [type, setType] = useState(known?.kind === "organization" ? (known.type ?? "") : "");
  const [district, setDistrict] = useState<string>(known?.kind === "town" ? known.district : "");
  const [tried, setTried] = useState(false);
  const save = useSaveName();
  const problems = save.error instanceof ApiError ? save.error.errors : [];
  const problemOf = (field: string) => problems.find((problem) => problem.field === field)?.message;
  const chosenDistrict = parseEnum(ALL_DISTRICTS, district);
  const thing: GazetteerNameForm["thing"] | null =
    kind === "organization"
      ? { kind, type: parseEnum(ORGANIZATION_TYPES, type) ?? null }
      : chosenDistrict
        ? { kind, district: chosenDistrict }
        : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (!text.trim() || !thing) return;
    const form = { name: text.trim(), spellings: spellings.split("\n").filter((one) => one.trim()), thing };
    save.mutate({ ...(name && { id: name._id }), state: "confirmed", form }, { onSuccess: onClose });
  };
  return (
    <ConfirmDialog
      title={name ? t("operate.gazetteer.editTitle") : t("operate.gazetteer.newTitle")}
      onClose={onClose}
      confirm={
        <Button type="submit" form={formId} disabled={save.isPending}>
          {name && name.state !== "confirmed" ? t("operate.gazetteer.confirm") : t("operate.gazetteer.save")}
        </Button>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="mt-4 grid gap-5 text-ink">
        {!name && (
          <SelectField
            label={t("operate.gazetteer.kind")}
            value={kind}
            onChange={(event) => setKind(parseEnum(KINDS, event.target.value) ?? "organization")}
          >
            {KINDS.map((one) => (
              <option key={one} value={one}>
                {t(`operate.gazetteer.kinds.${one}`)}
              </option>
            ))}
          </SelectField>
        )}
        <TextField
          label={t("operate.gazetteer.name")}
          value={text}
          maxLength={200}
          error={
            problemOf("name") ?? (tried && !text.trim() ? t("operate.gazetteer.nameMissing") : undefined)
          }
          onChange={(event) => setText(event.target.value)}
        />
        <TextArea
          label={t("operate.gazetteer.spellings")}
          optional={t("account.optional")}
          help={t("operate.gazetteer.spellingsHelp")}
          value={spellings}
          rows={3}
          error={problemOf("spellings")}
          onChange={(event) => setSpellings(event.target.value)}
        />
        {kind === "organization" ? (
          <SelectField
            label={t("operate.gazetteer.type")}
            value={type}
            onChange={(event) => setType(event.target.value)}
          >
            <option value="">{t("operate.gazetteer.unknownType")}</option>
            {ORGANIZATION_TYPES.map((one) => (
              <option key={one} value={one}>
                {t(`operate.gazetteer.types.${one}`)}
              </option>
            ))}
          </SelectField>
        ) : (
          <SelectField
            label={t("operate.gazetteer.district")}
            value={district}
            error={tried && !thing ? t("operate.gazetteer.districtMissing") : undefined}
            onChange={(event) => setDistrict(event.target.value)}
          >
            <option value="">{t("operate.gazetteer.chooseDistrict")}</option>
            {ALL_DISTRICTS.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </SelectField>
        )}
      </form>
    </ConfirmDialog>
  );
}

function NameRow({ name }: { name: GazetteerName }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [isEditing, setEditing] = useState(false);
  const save = useSaveName();
  const decide = (state: "confirmed" | "refused") => save.mutate({ id: name._id, state, form: formOf(name) });
  const { thing, uses, lastNotice } = name;
  const [kind, detail] =
    thing.kind === "town"
      ? [t("operate.gazetteer.kinds.town"), thing.district]
      : [
          t("operate.gazetteer.kinds.organization"),
          thing.type ? t(`operate.gazetteer.types.${thing.type}`) : t("operate.gazetteer.unknownType"),
        ];
  return (
    <div className="flex flex-wrap items-start gap-3 px-4 py-3">
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-semibold wrap-anywhere">{name.name}</span>
          <Badge tone="quiet" icon={thing.kind === "town" ? MapPin : undefined}>
            {kind} · {detail}
          </Badge>
        </p>
        {name.spellings.length > 0 && (
          <p className="text-[0.9375rem] wrap-anywhere">
            {t("operate.gazetteer.also", { names: name.spellings.join(", ") })}
          </p>
        )}
        <p className="text-sm text-ink-soft">
          {uses === 0
            ? t("operate.gazetteer.unused")
            : t(uses === 1 ? "operate.gazetteer.usedOnce" : "operate.gazetteer.used", { count: uses })}
          {lastNotice && (
            <>
              {" · "}
              <Link to={`${paths.operateAudit}?subject=${lastNotice}`} className="text-accent underline">
                {t("operate.gazetteer.lastDecision")}
              </Link>
            </>
          )}
        </p>
      </div>
      {name.state === "proposed" && (
        <div className="flex gap-2">
          <Button
            size="small"
            disabled={save.isPending}
            aria-label={t("operate.gazetteer.confirmName", { name: name.name })}
            onClick={() => decide("confirmed")}
          >
            <Check size={16} aria-hidden />
            {t("operate.gazetteer.confirm")}
          </Button>
          <Button
            size="small"
            variant="outlined"
            disabled={save.isPending}
            aria-label={t("operate.gazetteer.refuseName", { name: name.name })}
            onClick={() => decide("refused")}
          >
            <X size={16} aria-hidden />
            {t("operate.gazetteer.refuse")}
          </Button>
        </div>
      )}
      <ActionMenu
        label={t("operate.users.actions", { name: name.name })}
        actions={[
          { label: t("operate.gazetteer.edit"), onChoose: () => setEditing(true) },
          ...(name.state === "confirmed"
            ? [
                {
                  label: t("operate.gazetteer.refuse"),
                  isDestructive: true,
                  onChoose: () => decide("refused"),
                },
              ]
            : []),
          ...(name.state === "refused"
            ? [{ label: t("operate.gazetteer.confirm"), onChoose: () => decide("confirmed") }]
            : []),
          {
            label: t("operate.users.history"),
            onChoose: () => void navigate(`${paths.operateAudit}?subject=${name._id}`),
          },
        ]}
      />
      {isEditing && <NameDialog name={name} onClose={() => setEditing(false)} />}
    </div>
  );
}

function NameList({ filters }: { filters: NameFilters }) {
  const { t } = useTranslation();
  const list = useInfiniteQuery({ ...nameList(filters), placeholderData: keepPreviousData });
  return (
    <PartialList
      list={list}
      items={list.data?.pages.flatMap(({ names }) => names) ?? []}
      keyOf={({ _id }) => _id}
      empty={
        <EmptyState icon={<BookMarked size={22} />} title={t(`operate.gazetteer.none.${filters.state}`)}>
          {t("operate.gazetteer.noneHelp")}
        </EmptyState>
      }
    >
      {(name) => <NameRow name={name} />}
    </PartialList>
  );
}

export function Component() {
  const { t } = useTranslation();
  const { params, setFilter } = useFilters<"search" | "state">();
  const [isAdding, setAdding] = useState(false);
  const filters: NameFilters = {
    state: parseEnum(NAME_STATES, params.get("state")) ?? "proposed",
    ...(params.get("search") && { search: params.get("search") ?? "" }),
  };
  const [search, setSearch] = useSearchText(filters.search ?? "", (text) => setFilter("search", text));
  return (
    <OperatePage title={t("operate.gazetteer.title")}>
      <p className="mt-2 max-w-[75ch] text-ink-soft">{t("operate.gazetteer.text")}</p>
      <div className="mt-4 mb-6 flex flex-wrap items-end justify-between gap-4">
        <search className="grid w-full gap-4 sm:w-auto sm:grid-cols-[20rem_12rem]">
          <TextField
            type="search"
            label={t("operate.gazetteer.search")}
            value={search}
            maxLength={200}
            onChange={(event) => setSearch(event.target.value)}
          />
          <SelectField
            label={t("operate.gazetteer.show")}
            value={filters.state}
            onChange={(event) =>
              setFilter("state", event.target.value === "proposed" ? "" : event.target.value)
            }
          >
            {NAME_STATES.map((state) => (
              <option key={state} value={state}>
                {t(`operate.gazetteer.states.${state}`)}
              </option>
            ))}
          </SelectField>
        </search>
        <Button onClick={() => setAdding(true)}>
          <Plus size={18} aria-hidden />
          {t("operate.gazetteer.add")}
        </Button>
      </div>
      <NameList filters={filters} />
      {isAdding && <NameDialog onClose={() => setAdding(false)} />}
    </OperatePage>
  );
}
