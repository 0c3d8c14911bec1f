/** Limit of a query that has an offset alone: SQLite wants one, and Postgres refuses negative ones. */
export const NO_LIMIT = Number.MAX_SAFE_INTEGER;
