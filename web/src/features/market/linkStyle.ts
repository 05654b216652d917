// How links in the text of the market's pages look.

export const linkStyle = "text-accent underline underline-offset-2";
