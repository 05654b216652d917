// The schemas of the sign-in and sign-up forms. Checks run in order. Only the first failing check
// is reported, at every field that fails it. Messages are keys in `account.login` and
// `account.register`.

import { z } from "zod";

// Without this setting, zod generates code at runtime, which the content security policy forbids.
z.config({ jitless: true });

export const MIN_PASSWORD_LENGTH = 6;

/** The fields among `names` that are blank. */
function blankFields<Name extends string>(values: Record<Name, string>, names: readonly Name[]): Name[] {
  return names.filter((name) => values[name].trim() === "");
}

export const loginSchema = z
  .object({ email: z.string(), password: z.string(), remember: z.boolean() })
  .superRefine((values, context) => {
    for (const field of blankFields(values, ["email", "password"])) {
      context.addIssue({ code: "custom", path: [field], message: "missing" });
    }
  });

export type LoginForm = z.infer<typeof loginSchema>;

/** The fields without which the form is incomplete. */
const REQUIRED_FIELDS = ["firstName", "lastName", "email", "password"] as const;

/** The text fields that an incomplete form reports if they are blank. */
export const REPORTED_FIELDS = [...REQUIRED_FIELDS, "confirmPassword"] as const;

export const registerSchema = z
  .object({
    role: z.enum(["supplier", "buyer"]),
    firstName: z.string(),
    lastName: z.string(),
    email: z.string(),
    phone: z.string(),
    company: z.string(),
    password: z.string(),
    confirmPassword: z.string(),
    terms: z.boolean(),
    newsletter: z.boolean(),
  })
  .superRefine((values, context) => {
    const fail = (field: keyof typeof values, message: RegisterFailure) =>
      context.addIssue({ code: "custom", path: [field], message });
    if (blankFields(values, REQUIRED_FIELDS).length > 0) {
      for (const field of blankFields(values, REPORTED_FIELDS)) fail(field, "missing");
      if (!values.terms) fail("terms", "missing");
    } else if (values.password !== values.confirmPassword) {
      fail("confirmPassword", "mismatch");
    } else if (values.password.length < MIN_PASSWORD_LENGTH) {
      fail("password", "tooShort");
    } else if (!values.terms) {
      fail("terms", "noTerms");
    }
  });

export type RegisterForm = z.infer<typeof registerSchema>;
export type RegisterFailure = "missing" | "mismatch" | "tooShort" | "noTerms";

/** The role that the parameters of a link preset; `null` if they preset neither role. */
export function roleFromLink(parameters: URLSearchParams): "supplier" | "buyer" | null {
  const role = parameters.get("role");
  return role === "supplier" || role === "buyer" ? role : null;
}
