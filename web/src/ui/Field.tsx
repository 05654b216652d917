// Form fields, connected with their label, help and error for screen readers.

import { Eye, EyeOff } from "lucide-react";
import {
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
  useState,
} from "react";

export const inputStyle =
  "w-full min-h-11 rounded-lg border bg-sheet px-3 text-base text-ink placeholder:text-ink-soft aria-invalid:border-urgent aria-invalid:ring-1 aria-invalid:ring-urgent border-edge";

type InputProps = Omit<InputHTMLAttributes<HTMLInputElement>, "id"> & { ref?: Ref<HTMLInputElement> };

interface FieldProps extends InputProps {
  label: string;
  /** Whether only screen readers get the label, as in the rows below a heading. */
  hideLabel?: boolean | undefined;
  /** The text after the label that marks the field as optional. */
  optional?: string | undefined;
  help?: string | undefined;
  error?: string | undefined;
  /** Whether the field is marked as invalid without `error`. The form's message then says why. */
  invalid?: boolean | undefined;
  /** The id of the form's message. */
  messageId?: string | undefined;
}

function FieldFrame({
  id,
  label,
  hideLabel,
  optional,
  help,
  error,
  children,
}: Pick<FieldProps, "label" | "hideLabel" | "optional" | "help" | "error"> & {
  id: string;
  children: ReactNode;
}) {
  return (
    <div>
      <label htmlFor={id} className={hideLabel ? "sr-only" : "mb-1.5 block text-[0.9375rem] font-semibold"}>
        {label}
        {optional && <span className="font-normal text-ink-soft"> ({optional})</span>}
      </label>
      {children}
      {help && (
        <p id={`${id}-help`} className="mt-1 text-sm text-ink-soft">
          {help}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="mt-1 text-sm font-medium text-urgent">
          {error}
        </p>
      )}
    </div>
  );
}

/** Connects a control with its label, its help, its error and the form's message. */
function controlProps(id: string, { help, error, invalid, messageId }: Partial<FieldProps>) {
  const ids = [help && `${id}-help`, error && `${id}-error`, invalid && messageId].filter(Boolean);
  return {
    id,
    "aria-invalid": invalid || error !== undefined || undefined,
    "aria-describedby": ids.length > 0 ? ids.join(" ") : undefined,
  };
}

/** A one-line text field. */
export function TextField({
  label,
  hideLabel,
  optional,
  help,
  error,
  invalid,
  messageId,
  ...input
}: FieldProps) {
  const id = useId();
  return (
    <FieldFrame id={id} {...{ label, hideLabel, optional, help, error }}>
      <input className={inputStyle} {...controlProps(id, { help, error, invalid, messageId })} {...input} />
    </FieldFrame>
  );
}

type ControlProps = Pick<FieldProps, "label" | "optional" | "help" | "error" | "invalid" | "messageId">;

/** A multi-line text field. */
export function TextArea({
  label,
  optional,
  help,
  error,
  invalid,
  messageId,
  ...input
}: Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "id"> & {
  ref?: Ref<HTMLTextAreaElement>;
} & ControlProps) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} optional={optional} help={help} error={error}>
      <textarea
        rows={5}
        className={`${inputStyle} py-2`}
        {...controlProps(id, { help, error, invalid, messageId })}
        {...input}
      />
    </FieldFrame>
  );
}

/** A select field. */
export function SelectField({
  label,
  hideLabel,
  optional,
  help,
  error,
  invalid,
  messageId,
  children,
  ...input
}: Omit<SelectHTMLAttributes<HTMLSelectElement>, "id"> & { ref?: Ref<HTMLSelectElement> } & Pick<
    FieldProps,
    "hideLabel"
  > &
  ControlProps) {
  const id = useId();
  return (
    <FieldFrame id={id} {...{ label, hideLabel, optional, help, error }}>
      <select className={inputStyle} {...controlProps(id, { help, error, invalid, messageId })} {...input}>
        {children}
      </select>
    </FieldFrame>
  );
}

/** A password field whose text can be shown. */
export function PasswordField({
  label,
  help,
  error,
  invalid,
  messageId,
  show,
  hide,
  ...input
}: FieldProps & { show: string; hide: string }) {
  const id = useId();
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <FieldFrame id={id} label={label} help={help} error={error}>
      <div className="relative">
        <input
          type={shown ? "text" : "password"}
          className={`${inputStyle} pr-12`}
          {...controlProps(id, { help, error, invalid, messageId })}
          {...input}
        />
        <button
          type="button"
          aria-label={shown ? hide : show}
          aria-controls={id}
          onClick={() => setShown(!shown)}
          className="absolute inset-y-0 right-0 grid w-11 place-items-center rounded-lg text-ink-soft hover:text-ink"
        >
          <Icon size={18} aria-hidden />
        </button>
      </div>
    </FieldFrame>
  );
}

/** A checkbox with a label beside it and help below. */
export function Checkbox({
  label,
  optional,
  help,
  invalid,
  messageId,
  ...input
}: InputProps & { label: ReactNode } & Pick<FieldProps, "optional" | "help" | "invalid" | "messageId">) {
  const id = useId();
  return (
    <div>
      <label
        htmlFor={id}
        className="flex min-h-11 cursor-pointer items-center gap-3 text-[0.9375rem] md:min-h-9"
      >
        <input
          type="checkbox"
          className="size-5 shrink-0 accent-accent"
          {...controlProps(id, { help, invalid, messageId })}
          {...input}
        />
        <span>
          {label}
          {optional && <span className="text-ink-soft"> ({optional})</span>}
        </span>
      </label>
      {help && (
        <p id={`${id}-help`} className="pl-8 text-sm text-ink-soft">
          {help}
        </p>
      )}
    </div>
  );
}
