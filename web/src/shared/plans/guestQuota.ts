// How many tenders a guest may open. It is in a file of its own, because the first page shows it.

/** The server's limit of tenders that a guest may open per month. */
export const GUEST_DETAILS_PER_MONTH = 3;
