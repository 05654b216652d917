// Shows a new secret until the user closes it, with a button that copies it.

import { useId } from "react";
import { useTranslation } from "@/i18n/i18n.ts";
import { Button } from "@/ui/Button.tsx";
import { toast } from "@/ui/toasts.ts";

export function NewSecret({ text, secret, onDone }: { text: string; secret: string; onDone: () => void }) {
  const { t } = useTranslation();
  const id = useId();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret);
      toast.success(t("account.keys.copied"));
    } catch {
      toast.error(t("account.keys.copyFailed"));
    }
  };
  return (
    <div role="status" className="grid gap-3 rounded-lg bg-accent-wash px-4 py-4">
      <p id={id} className="text-[0.9375rem]">
        {text}
      </p>
      <code
        aria-describedby={id}
        className="break-all whitespace-pre-line rounded-md bg-sheet px-3 py-2 text-sm"
      >
        {secret}
      </code>
      <div className="flex gap-3">
        <Button size="small" onClick={() => void copy()}>
          {t("account.keys.copy")}
        </Button>
        <Button variant="outlined" size="small" onClick={onDone}>
          {t("account.keys.done")}
        </Button>
      </div>
    </div>
  );
}
