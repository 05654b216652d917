// Formats numbers as in Sri Lankan notices, the same in every language.

/**
 * Returns a function that formats numbers with these options. The formatter is made at the first call,
 * because making it takes a slow phone some 20 ms and most pages need few of them.
 */
export function numberFormat(options: Intl.NumberFormatOptions): (value: number) => string {
  let format: Intl.NumberFormat | undefined;
  return (value) => {
    format ??= new Intl.NumberFormat("en-LK", options);
    return format.format(value);
  };
}
