// Limits of links to runs.

/** Valid links to one run. */
export const MAX_SHARES_PER_RUN = 50;
/** Longest validity of a link. */
export const MAX_SHARE_HOURS = 30 * 24;
/** Validity of a link for which none was chosen. */
export const DEFAULT_SHARE_HOURS = 7 * 24;
/** Steps of a run that a link shows. */
export const MAX_SHARED_STEPS = 1_000;
/** Attempts to open a link, from one IPv4 address or IPv6 network (/64). */
export const MAX_SHARE_OPENINGS_PER_MINUTE = 120;
/** Attempts to open links, from all addresses together. */
export const MAX_TOTAL_SHARE_OPENINGS_PER_MINUTE = 2_400;
