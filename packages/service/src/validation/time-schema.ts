import * as z from "zod";

/** Time of a query, as a moment or the begin of a day in UTC; parsed to epoch milliseconds. */
export const timeSchema = z
	.union([z.iso.date(), z.iso.datetime({ offset: true })], {
		error: "must be a time such as 2026-01-31T12:00:00Z, or a day such as 2026-01-31",
	})
	.transform(Date.parse);
