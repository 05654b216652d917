// The user's name, telephone and company.

import { useId } from "react";
import { useForm } from "react-hook-form";
import { ApiError, messageOf } from "@/api/error.ts";
import type { User } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { Button } from "@/ui/Button.tsx";
import { TextField } from "@/ui/Field.tsx";
import { FormMessage } from "@/ui/FormMessage.tsx";
import { SectionCard } from "@/ui/SectionCard.tsx";
import { useSaveProfile } from "./api.ts";

export function ProfileForm({ user }: { user: User }) {
  const { t } = useTranslation();
  const messageId = useId();
  const { register, handleSubmit, setError, reset, formState } = useForm({
    defaultValues: {
      firstName: user.firstName,
      lastName: user.lastName,
      phone: user.phone ?? "",
      company: user.company ?? "",
    },
  });
  const save = useSaveProfile();
  const submit = handleSubmit((form) =>
    save.mutate(form, {
      onSuccess: () => reset(form),
      onError: (error) => {
        if (!(error instanceof ApiError)) return;
        for (const { field, message } of error.errors) {
          if (field in form) setError(field as keyof typeof form, { message });
        }
      },
    }),
  );
  const field = (name: "firstName" | "lastName" | "phone" | "company") => ({
    label: t(`account.register.${name}`),
    error: formState.errors[name]?.message,
    messageId,
    ...register(name),
  });
  return (
    <SectionCard title={t("account.settings.profile")}>
      <form noValidate className="grid gap-5" onSubmit={submit}>
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField {...field("firstName")} autoComplete="given-name" />
          <TextField {...field("lastName")} autoComplete="family-name" />
          <TextField {...field("phone")} optional={t("account.optional")} type="tel" autoComplete="tel" />
          <TextField {...field("company")} optional={t("account.optional")} autoComplete="organization" />
        </div>
        <FormMessage id={messageId}>
          {save.error && messageOf(save.error, t("account.settings.saveFailed"))}
        </FormMessage>
        <Button type="submit" className="justify-self-start" disabled={save.isPending || !formState.isDirty}>
          {t(save.isPending ? "account.settings.saving" : "account.settings.save")}
        </Button>
      </form>
    </SectionCard>
  );
}
