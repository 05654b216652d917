// The second factors of the account: an authenticator app, passkeys and recovery codes.

import { useQuery } from "@tanstack/react-query";
import { QRCodeSVG } from "qrcode.react";
import { type FormEvent, type ReactNode, useId, useState } from "react";
import { messageOf } from "@/api/error.ts";
import type { User } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatMoment } from "@/shared/format/dates.ts";
import { NewSecret } from "@/shared/NewSecret.tsx";
import { RequestId } from "@/shared/page/RequestId.tsx";
import { PasskeyCancelled, supportsPasskeys } from "@/shared/secondFactor/passkeys.ts";
import { Badge } from "@/ui/Badge.tsx";
import { Button } from "@/ui/Button.tsx";
import { Dialog } from "@/ui/Dialog.tsx";
import { Checkbox, TextField } from "@/ui/Field.tsx";
import { FormMessage } from "@/ui/FormMessage.tsx";
import { SectionCard } from "@/ui/SectionCard.tsx";
import { ErrorBanner } from "@/ui/StatusMessages.tsx";
import { mySecondFactors, type Passkey, type Proof, useSecondFactorChanges } from "./api.ts";
import { ProofDialog } from "./ProofDialog.tsx";

/** What the open dialog does. */
type OpenDialog =
  | { kind: "totp" }
  | { kind: "removeTotp" }
  | { kind: "passkey" }
  | { kind: "removePasskey"; passkey: Passkey }
  | { kind: "codes" };

function Row({ title, text, children }: { title: ReactNode; text: ReactNode; children?: ReactNode }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-3 first:pt-0 last:pb-0">
      <div className="min-w-48 flex-1">
        <p className="text-[0.9375rem] break-words">{title}</p>
        <p className="text-sm text-ink-soft">{text}</p>
      </div>
      {children}
    </li>
  );
}

/** Whether a change also signs out all other devices. */
interface EndOthersChoice {
  checked: boolean;
  onChange: (checked: boolean) => void;
}

function EndOthers({ checked, onChange }: EndOthersChoice) {
  const { t } = useTranslation();
  return (
    <Checkbox
      label={t("account.secondFactor.endOthers")}
      checked={checked}
      onChange={(event) => onChange(event.target.checked)}
    />
  );
}

/** Asks for a code of the new authenticator app. */
function ConfirmTotp({
  secret,
  url,
  endOthers,
  onConfirm,
  onClose,
}: {
  secret: string;
  url: string;
  endOthers: EndOthersChoice;
  onConfirm: (code: string) => Promise<unknown>;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const formId = useId();
  const messageId = useId();
  const [code, setCode] = useState("");
  const [message, setMessage] = useState<string | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setMessage(null);
    try {
      await onConfirm(code);
    } catch (error) {
      setMessage(messageOf(error, t("account.settings.saveFailed")));
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("account.secondFactor.totpTitle")}
      actions={
        <>
          <Button variant="outlined" onClick={onClose}>
            {t("account.settings.cancel")}
          </Button>
          <Button type="submit" form={formId} disabled={code.trim() === ""}>
            {t("account.secondFactor.confirm")}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate className="grid gap-4 text-ink" onSubmit={(event) => void submit(event)}>
        <p className="text-[0.9375rem]">{t("account.secondFactor.scan")}</p>
        <div className="justify-self-center rounded-lg bg-white p-3">
          <QRCodeSVG value={url} size={176} title={t("account.secondFactor.qrCode")} />
        </div>
        <p className="text-sm text-ink-soft">{t("account.secondFactor.typeSecret")}</p>
        <code className="break-all rounded-md bg-accent-wash px-3 py-2 text-sm">{secret}</code>
        <TextField
          label={t("account.secondFactor.code")}
          autoComplete="one-time-code"
          inputMode="numeric"
          value={code}
          invalid={message !== null}
          messageId={messageId}
          onChange={(event) => setCode(event.target.value)}
        />
        <EndOthers {...endOthers} />
        <FormMessage id={messageId}>{message}</FormMessage>
      </form>
    </Dialog>
  );
}

/** Asks for the name of a new passkey and for a proof, then for the passkey itself. */
function AddPasskey({
  user,
  endOthers,
  onAdd,
  onClose,
}: {
  user: User;
  endOthers: EndOthersChoice;
  onAdd: (name: string, proof: Proof) => Promise<unknown>;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const [name, setName] = useState("");
  return (
    <ProofDialog
      user={user}
      title={t("account.secondFactor.addPasskey")}
      action={t("account.secondFactor.continue")}
      onClose={onClose}
      onProof={async (proof) => {
        try {
          await onAdd(name, proof);
        } catch (error) {
          throw error instanceof PasskeyCancelled ? new Error(t("account.secondFactor.cancelled")) : error;
        }
      }}
    >
      <p className="text-[0.9375rem]">{t("account.secondFactor.passkeyHelp")}</p>
      <TextField
        label={t("account.secondFactor.passkeyName")}
        help={t("account.secondFactor.passkeyNameHelp")}
        maxLength={60}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <EndOthers {...endOthers} />
    </ProofDialog>
  );
}

export function SecondFactors({ user }: { user: User }) {
  const { t } = useTranslation();
  const factors = useQuery(mySecondFactors);
  const changes = useSecondFactorChanges();
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const [setUp, setSetUp] = useState<{ secret: string; url: string } | null>(null);
  const [codes, setCodes] = useState<string[]>([]);
  const [endsOthers, setEndsOthers] = useState(true);
  const endOthers = { checked: endsOthers, onChange: setEndsOthers };
  const close = () => {
    setDialog(null);
    setSetUp(null);
    setEndsOthers(true);
  };
  /** Closes the dialog and shows the new recovery codes, if there are any. */
  const finish = ({ recoveryCodes }: { recoveryCodes: string[] }) => {
    close();
    if (recoveryCodes.length > 0) setCodes(recoveryCodes);
  };
  const data = factors.data;
  const isSetUp = data !== undefined && (data.totpSince !== null || data.passkeys.length > 0);
  return (
    <SectionCard title={t("account.secondFactor.title")} anchor="second-factor">
      <div className="grid gap-5">
        <p className="text-[0.9375rem] text-ink-soft">{t("account.secondFactor.text")}</p>
        {factors.error && (
          <ErrorBanner title={t("account.secondFactor.loadFailed")}>
            <RequestId error={factors.error} />
          </ErrorBanner>
        )}
        {codes.length > 0 && (
          <NewSecret
            text={t("account.secondFactor.codesShownOnce")}
            secret={codes.join("\n")}
            onDone={() => setCodes([])}
          />
        )}
        {data && (
          <ul className="divide-y divide-line">
            <Row
              title={t("account.secondFactor.app")}
              text={
                data.totpSince
                  ? t("account.secondFactor.since", { date: formatMoment(data.totpSince) })
                  : t("account.secondFactor.appHelp")
              }
            >
              {data.totpSince && <Badge tone="good">{t("account.secondFactor.on")}</Badge>}
              <Button
                variant="outlined"
                size="small"
                onClick={() => setDialog({ kind: data.totpSince ? "removeTotp" : "totp" })}
              >
                {t(data.totpSince ? "account.secondFactor.remove" : "account.secondFactor.setUp")}
              </Button>
            </Row>
            {data.passkeys.map((passkey) => (
              <Row
                key={passkey._id}
                title={t("account.secondFactor.passkey", { name: passkey.name })}
                text={
                  passkey.usedAt
                    ? t("account.settings.lastUsed", { date: formatMoment(passkey.usedAt) })
                    : t("account.secondFactor.since", { date: formatMoment(passkey.createdAt) })
                }
              >
                <Button
                  variant="outlined"
                  size="small"
                  onClick={() => setDialog({ kind: "removePasskey", passkey })}
                >
                  {t("account.secondFactor.remove")}
                </Button>
              </Row>
            ))}
            {data.offersPasskeys && supportsPasskeys() && (
              <Row title={t("account.secondFactor.passkeys")} text={t("account.secondFactor.passkeyHelp")}>
                <Button variant="outlined" size="small" onClick={() => setDialog({ kind: "passkey" })}>
                  {t("account.secondFactor.addPasskey")}
                </Button>
              </Row>
            )}
            {isSetUp && (
              <Row
                title={t("account.secondFactor.recoveryCodes")}
                text={t("account.secondFactor.codesLeft", { count: data.recoveryCodesLeft })}
              >
                <Button variant="outlined" size="small" onClick={() => setDialog({ kind: "codes" })}>
                  {t("account.secondFactor.newCodes")}
                </Button>
              </Row>
            )}
          </ul>
        )}
      </div>
      {dialog?.kind === "totp" && !setUp && (
        <ProofDialog
          user={user}
          title={t("account.secondFactor.totpTitle")}
          action={t("account.secondFactor.continue")}
          onClose={close}
          onProof={async (proof) => setSetUp(await changes.beginTotp(proof))}
        >
          <p className="text-[0.9375rem]">{t("account.secondFactor.appHelp")}</p>
        </ProofDialog>
      )}
      {setUp && (
        <ConfirmTotp
          {...setUp}
          endOthers={endOthers}
          onClose={close}
          onConfirm={async (code) => finish(await changes.confirmTotp(code, endsOthers))}
        />
      )}
      {dialog?.kind === "removeTotp" && (
        <ProofDialog
          user={user}
          isDestructive
          title={t("account.secondFactor.removeAppTitle")}
          action={t("account.secondFactor.remove")}
          onClose={close}
          onProof={async (proof) => {
            await changes.removeTotp(proof, endsOthers);
            close();
          }}
        >
          <p className="text-[0.9375rem]">{t("account.secondFactor.removeText")}</p>
          <EndOthers {...endOthers} />
        </ProofDialog>
      )}
      {dialog?.kind === "passkey" && (
        <AddPasskey
          user={user}
          endOthers={endOthers}
          onClose={close}
          onAdd={async (name, proof) => finish(await changes.addPasskey(name, proof, endsOthers))}
        />
      )}
      {dialog?.kind === "removePasskey" && (
        <ProofDialog
          user={user}
          isDestructive
          title={t("account.secondFactor.removePasskeyTitle", { name: dialog.passkey.name })}
          action={t("account.secondFactor.remove")}
          onClose={close}
          onProof={async (proof) => {
            await changes.removePasskey(dialog.passkey._id, proof, endsOthers);
            close();
          }}
        >
          <p className="text-[0.9375rem]">{t("account.secondFactor.removeText")}</p>
          <EndOthers {...endOthers} />
        </ProofDialog>
      )}
      {dialog?.kind === "codes" && (
        <ProofDialog
          user={user}
          title={t("account.secondFactor.newCodes")}
          action={t("account.secondFactor.newCodes")}
          onClose={close}
          onProof={async (proof) => finish(await changes.renewCodes(proof, endsOthers))}
        >
          <p className="text-[0.9375rem]">{t("account.secondFactor.newCodesText")}</p>
          <EndOthers {...endOthers} />
        </ProofDialog>
      )}
    </SectionCard>
  );
}
