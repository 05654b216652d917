// The users who share an Enterprise plan. The owner invites and removes members; a member can
// leave.

import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { messageOf } from "@/api/error.ts";
import type { User } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatDay } from "@/shared/format/dates.ts";
import { Badge } from "@/ui/Badge.tsx";
import { Button } from "@/ui/Button.tsx";
import { Dialog } from "@/ui/Dialog.tsx";
import { TextField } from "@/ui/Field.tsx";
import { FormMessage } from "@/ui/FormMessage.tsx";
import { SectionCard } from "@/ui/SectionCard.tsx";
import { ownTeam, useInviteMember, useRemoveMember, useRevokeInvitation } from "./api.ts";

/** A button that asks for confirmation before it calls `onConfirm`. */
function ConfirmedButton({
  label,
  title,
  text,
  disabled,
  onConfirm,
}: {
  label: string;
  title: string;
  text: string;
  disabled: boolean;
  onConfirm: () => void;
}) {
  const { t } = useTranslation();
  const [isConfirming, setConfirming] = useState(false);
  return (
    <>
      <Button variant="outlined" size="small" disabled={disabled} onClick={() => setConfirming(true)}>
        {label}
      </Button>
      <Dialog
        open={isConfirming}
        onClose={() => setConfirming(false)}
        title={title}
        actions={
          <>
            <Button variant="outlined" onClick={() => setConfirming(false)}>
              {t("account.team.cancel")}
            </Button>
            <Button
              onClick={() => {
                setConfirming(false);
                onConfirm();
              }}
            >
              {label}
            </Button>
          </>
        }
      >
        {text}
      </Dialog>
    </>
  );
}

function InviteForm() {
  const { t } = useTranslation();
  const messageId = useId();
  const [email, setEmail] = useState("");
  const invite = useInviteMember();
  return (
    <form
      noValidate
      className="mt-5 grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        invite.mutate(email, { onSuccess: () => setEmail("") });
      }}
    >
      <TextField
        label={t("account.team.invite")}
        type="email"
        autoComplete="off"
        value={email}
        messageId={messageId}
        onChange={(event) => setEmail(event.target.value)}
      />
      <FormMessage id={messageId}>
        {invite.error ? messageOf(invite.error, t("account.team.failed")) : null}
      </FormMessage>
      <Button type="submit" size="small" className="justify-self-start" disabled={invite.isPending}>
        {t("account.team.send")}
      </Button>
    </form>
  );
}

export function Team({ user }: { user: User }) {
  const { t } = useTranslation();
  const team = useQuery(ownTeam).data;
  const remove = useRemoveMember();
  const revoke = useRevokeInvitation();
  if (!team) return null;
  const taken = team.members.length + team.invitations.length;
  return (
    <SectionCard title={t("account.team.title")}>
      <p className="text-[0.9375rem]">
        {team.isOwner
          ? t("account.team.seats", { taken, seats: team.seats })
          : t("account.team.member", { name: `${team.members[0]?.firstName} ${team.members[0]?.lastName}` })}
      </p>
      <ul className="mt-4 divide-y divide-line">
        {team.members.map(({ _id, firstName, lastName, email, joinedAt }) => (
          <li key={_id} className="flex flex-wrap items-center justify-between gap-3 py-3 last:pb-0">
            <div className="min-w-0 flex-1">
              <p className="text-[0.9375rem]">
                {firstName} {lastName}
              </p>
              <p className="break-words text-sm text-ink-soft">
                {email}
                {joinedAt && ` · ${t("account.team.since", { day: formatDay(joinedAt) })}`}
              </p>
            </div>
            {joinedAt === null && <Badge tone="good">{t("account.team.owner")}</Badge>}
            {joinedAt !== null && (team.isOwner || _id === user._id) && (
              <ConfirmedButton
                label={t(team.isOwner ? "account.team.remove" : "account.team.leave")}
                title={t(team.isOwner ? "account.team.removeTitle" : "account.team.leaveTitle", {
                  name: firstName,
                })}
                text={t("account.team.partText")}
                disabled={remove.isPending}
                onConfirm={() => remove.mutate(_id)}
              />
            )}
          </li>
        ))}
        {team.invitations.map(({ _id, email, expiresAt }) => (
          <li key={_id} className="flex flex-wrap items-center justify-between gap-3 py-3 last:pb-0">
            <div className="min-w-0 flex-1">
              <p className="break-words text-[0.9375rem]">{email}</p>
              <p className="text-sm text-ink-soft">
                {t("account.team.waiting", { day: formatDay(expiresAt) })}
              </p>
            </div>
            <ConfirmedButton
              label={t("account.team.uninvite")}
              title={t("account.team.uninviteTitle", { email })}
              text={t("account.team.uninviteText")}
              disabled={revoke.isPending}
              onConfirm={() => revoke.mutate(_id)}
            />
          </li>
        ))}
      </ul>
      {team.isOwner && taken < team.seats && <InviteForm />}
    </SectionCard>
  );
}
