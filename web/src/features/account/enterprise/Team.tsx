// Who shares the account: the owner invites and removes, a member may leave.

import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { api, call } from "@/api/client.ts";
import { messageOf } from "@/api/error.ts";
import type { User } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatDay } from "@/shared/format/dates.ts";
import { currentUser } from "@/shared/session/account.ts";
import { Badge } from "@/ui/Badge.tsx";
import { Button } from "@/ui/Button.tsx";
import { Dialog } from "@/ui/Dialog.tsx";
import { TextField } from "@/ui/Field.tsx";
import { FormMessage } from "@/ui/FormMessage.tsx";
import { Part } from "@/ui/SectionCard.tsx";
import { toast } from "@/ui/toasts.ts";

const ownTeam = queryOptions({
  queryKey: ["me", "team"],
  queryFn: async ({ signal }) => (await call(api.GET("/team", { signal }))).team,
});

/** Asks before it does what can't be undone. */
function Asked({
  label,
  title,
  text,
  act,
}: {
  label: string;
  title: string;
  text: string;
  act: () => Promise<unknown>;
}) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [isAsked, setAsked] = useState(false);
  const change = useMutation({
    mutationFn: act,
    onSettled: () => {
      void client.invalidateQueries({ queryKey: ownTeam.queryKey });
      void client.invalidateQueries({ queryKey: currentUser.queryKey });
    },
    onError: (error) => void toast.error(t("account.team.failed"), { description: messageOf(error, "") }),
  });
  return (
    <>
      <Button look="outlined" size="small" disabled={change.isPending} onClick={() => setAsked(true)}>
        {label}
      </Button>
      <Dialog
        open={isAsked}
        onClose={() => setAsked(false)}
        title={title}
        actions={
          <>
            <Button look="outlined" onClick={() => setAsked(false)}>
              {t("account.team.cancel")}
            </Button>
            <Button
              onClick={() => {
                setAsked(false);
                change.mutate();
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

function Invite() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const messageId = useId();
  const [email, setEmail] = useState("");
  const invite = useMutation({
    mutationFn: () => call(api.POST("/team/invitations", { body: { email } })),
    retry: false,
    onSuccess: ({ team }) => {
      client.setQueryData(ownTeam.queryKey, team);
      setEmail("");
      toast.success(t("account.team.invited"));
    },
  });
  return (
    <form
      noValidate
      className="mt-5 grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        invite.mutate();
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
  if (!team) return null;
  const taken = team.members.length + team.invitations.length;
  return (
    <Part title={t("account.team.title")}>
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
              <Asked
                label={t(team.isOwner ? "account.team.remove" : "account.team.leave")}
                title={t(team.isOwner ? "account.team.removeTitle" : "account.team.leaveTitle", {
                  name: firstName,
                })}
                text={t("account.team.partText")}
                act={() => call(api.DELETE("/team/members/{id}", { params: { path: { id: _id } } }))}
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
            <Asked
              label={t("account.team.uninvite")}
              title={t("account.team.uninviteTitle", { email })}
              text={t("account.team.uninviteText")}
              act={() => call(api.DELETE("/team/invitations/{id}", { params: { path: { id: _id } } }))}
            />
          </li>
        ))}
      </ul>
      {team.isOwner && taken < team.seats && <Invite />}
    </Part>
  );
}
