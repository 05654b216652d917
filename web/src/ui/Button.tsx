// Buttons, and links that look like buttons.

import type { ButtonHTMLAttributes } from "react";
import { Link, type LinkProps } from "react-router";

type Variant = "filled" | "outlined" | "plain" | "danger";

const baseStyle =
  "inline-flex items-center justify-center gap-2 rounded-lg font-semibold whitespace-nowrap transition-colors duration-150 disabled:opacity-60";

const variants: Record<Variant, string> = {
  filled: "bg-accent text-on-accent hover:bg-accent-deep",
  outlined: "border border-edge bg-sheet text-ink hover:border-accent hover:text-accent",
  danger: "border border-urgent bg-sheet text-urgent hover:bg-urgent-wash",
  plain: "text-accent hover:bg-accent-wash hover:text-accent-deep",
};

const sizes = {
  small: "min-h-9 px-3 text-sm max-md:min-h-11",
  medium: "min-h-11 px-4 text-[0.9375rem]",
  large: "min-h-12 px-5 text-base",
};

interface ButtonLook {
  variant?: Variant;
  size?: keyof typeof sizes;
}

function classes({ variant = "filled", size = "medium" }: ButtonLook, extra: string | undefined): string {
  return `${baseStyle} ${variants[variant]} ${sizes[size]} ${extra ?? ""}`;
}

/** The CSS classes of a button, for a link that leaves the app. */
export function buttonStyle(style: ButtonLook): string {
  return classes(style, undefined);
}

/** A button. Its type is `button` by default, so that it does not submit a form by accident. */
export function Button({
  variant,
  size,
  className,
  type = "button",
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & ButtonLook) {
  return <button type={type} className={classes({ variant, size }, className)} {...rest} />;
}

/** A link inside the app that looks like a button. */
export function ButtonLink({ variant, size, className, ...rest }: LinkProps & ButtonLook) {
  return <Link className={classes({ variant, size }, className as string | undefined)} {...rest} />;
}
