// The field for the current password in dialogs that confirm a change of the account.

import { useTranslation } from "@/i18n/i18n.ts";
import { PasswordField } from "@/ui/Field.tsx";

interface CurrentPasswordFieldProps {
  value: string;
  invalid: boolean;
  messageId: string;
  onChange: (password: string) => void;
}

/** Asks for the password of the user who is signed in. */
export function CurrentPasswordField({ onChange, ...field }: CurrentPasswordFieldProps) {
  const { t } = useTranslation();
  return (
    <PasswordField
      {...field}
      label={t("account.settings.deletePassword")}
      autoComplete="current-password"
      show={t("account.showPassword")}
      hide={t("account.hidePassword")}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
