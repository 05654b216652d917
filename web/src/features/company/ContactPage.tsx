// The contact page: the operator's contacts from the settings, office hours, and a form.

import { type ReactNode, useEffect, useId, useState } from "react";
import { useForm } from "react-hook-form";
import { ApiError, messageOf } from "@/api/error.ts";
import { settings } from "@/api/settings.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { Metadata } from "@/shared/page/Metadata.tsx";
import { useAccount } from "@/shared/session/account.ts";
import { Button } from "@/ui/Button.tsx";
import { TextArea, TextField } from "@/ui/Field.tsx";
import { FormMessage } from "@/ui/FormMessage.tsx";
import { Page } from "@/ui/Sheet.tsx";
import { useSendMessage } from "./api.ts";
import { contactDetails, organizationSchema } from "./organization.ts";

function ContactDetail({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <dt className="font-semibold">{title}</dt>
      <dd className="mt-0.5 text-[0.9375rem] text-ink-soft">{children}</dd>
    </div>
  );
}

/** An e-mail address or a telephone number as a link; anything else as plain text. */
function ContactLink({ contact }: { contact: string }) {
  const style = "block w-fit text-accent underline wrap-anywhere";
  if (/^\S+@\S+\.\S+$/.test(contact)) {
    return (
      <a href={`mailto:${contact}`} className={style}>
        {contact}
      </a>
    );
  }
  if (/^[+\d][\d\s()/-]{5,}$/.test(contact)) {
    return (
      <a href={`tel:${contact.replaceAll(/[^+\d]/g, "")}`} className={style}>
        {contact}
      </a>
    );
  }
  return <span className="block">{contact}</span>;
}

function ContactForm() {
  const { t } = useTranslation();
  const { user } = useAccount();
  const messageId = useId();
  const [message, setMessage] = useState<string | null>(null);
  const { register, handleSubmit, setError, setValue, getValues, reset, formState } = useForm({
    defaultValues: { name: "", email: "", message: "" },
  });
  // Prefills the name and the e-mail address of a signed-in user.
  useEffect(() => {
    if (user && getValues("name") === "") setValue("name", `${user.firstName} ${user.lastName}`);
    if (user && getValues("email") === "") setValue("email", user.email);
  }, [user, getValues, setValue]);
  const send = useSendMessage();
  const submit = handleSubmit((form) => {
    const missing = Object.values(form).some((value) => value.trim() === "");
    setMessage(missing ? t("company.contact.form.missing") : null);
    if (missing) return;
    send.mutate(form, {
      onSuccess: () => reset({ ...form, message: "" }),
      onError: (error) => {
        setMessage(messageOf(error, t("company.contact.form.failed")));
        if (!(error instanceof ApiError)) return;
        for (const { field, message } of error.errors) {
          if (field in form) setError(field as keyof typeof form, { message });
        }
      },
    });
  });
  return (
    <section className="rounded-2xl border border-line bg-sheet px-5 py-6 sm:px-7">
      <h2 className="text-lg font-semibold">{t("company.contact.form.title")}</h2>
      <form noValidate className="mt-5 grid gap-5" onSubmit={submit}>
        <TextField
          label={t("company.contact.form.name")}
          autoComplete="name"
          error={formState.errors.name?.message}
          {...register("name")}
        />
        <TextField
          label={t("company.contact.form.email")}
          type="email"
          inputMode="email"
          autoComplete="email"
          error={formState.errors.email?.message}
          {...register("email")}
        />
        <TextArea
          label={t("company.contact.form.message")}
          rows={6}
          error={formState.errors.message?.message}
          {...register("message")}
        />
        <FormMessage id={messageId}>{message}</FormMessage>
        <div role="status" className="empty:hidden">
          {send.isSuccess && !formState.isDirty && (
            <p className="rounded-lg bg-good-wash px-3 py-2.5 text-[0.9375rem] font-medium text-good">
              {t("company.contact.form.done")}
            </p>
          )}
        </div>
        <Button type="submit" className="justify-self-start" disabled={send.isPending}>
          {t(send.isPending ? "company.contact.form.busy" : "company.contact.form.submit")}
        </Button>
      </form>
    </section>
  );
}

export function Component() {
  const { t } = useTranslation();
  const { companyName } = settings.company;
  const { email, phone, address, enterprise } = contactDetails(settings.company);
  return (
    <Page className="py-10">
      <Metadata
        title={t("company.contact.title")}
        description={t("company.contact.description")}
        keywords={t("company.contact.keywords")}
        kind="ContactPage"
        about={organizationSchema(settings.company, t("shell.name"))}
      />
      <h1 className="text-3xl font-bold tracking-tight">{t("company.contact.title")}</h1>
      <p className="mt-3 text-lg text-ink-soft">{t("company.contact.lead")}</p>
      <div className="mt-8 grid gap-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,32rem)]">
        <dl className="grid content-start gap-6">
          <ContactDetail title={t("company.contact.company")}>
            {[companyName ?? t("shell.name"), address ? null : t("company.contact.place")]
              .filter(Boolean)
              .join(", ")}
          </ContactDetail>
          {address && <ContactDetail title={t("company.contact.address")}>{address}</ContactDetail>}
          {phone && (
            <ContactDetail title={t("company.contact.phone")}>
              <ContactLink contact={phone} />
            </ContactDetail>
          )}
          <ContactDetail title={t("company.contact.email")}>
            {email && <ContactLink contact={email} />}
            {t("company.contact.emailText")}
          </ContactDetail>
          <ContactDetail title={t("company.contact.hours")}>
            {t("company.contact.hoursText")}
            <br />
            {t("company.contact.hoursNotice")}
          </ContactDetail>
          <ContactDetail title={t("company.contact.enterprise")}>
            {enterprise && <ContactLink contact={enterprise} />}
            {t("company.contact.enterpriseText")}
          </ContactDetail>
        </dl>
        <ContactForm />
      </div>
    </Page>
  );
}
