import type { UsageQuery } from "@stemma/client";
import { clock } from "@stemma/core/internal";
import { DomainError } from "../errors/domain-error";
import { DAY_MS, toDay, toDayStart } from "./day";

/** Days, UTC, both inclusive. */
export interface UsageRange {
	readonly from: string;
	readonly to: string;
}

const DEFAULT_DAYS = 30;
const MAX_DAYS = 400;

/**
 * The days that a query asks for.
 *
 * @throws DomainError `invalid_request` for days in the wrong order, and for too many of them.
 */
export function resolveRange(query: Pick<UsageQuery, "from" | "to">, now = clock.now()): UsageRange {
	const to = query.to ?? toDay(now);
	const from = query.from ?? toDay(toDayStart(to) - DEFAULT_DAYS * DAY_MS);
	if (from > to)
		throw invalidRangeError(
			`"from" must not be after "to"${query.to === undefined ? `, which is today: ${to}` : ""}.`,
		);
	const days = (toDayStart(to) - toDayStart(from)) / DAY_MS + 1;
	if (days > MAX_DAYS)
		throw invalidRangeError(
			`From "from" to "to" there must be ${MAX_DAYS} days at most, and there are ${days}.`,
		);
	return { from, to };
}

const invalidRangeError = (message: string): DomainError =>
	new DomainError("invalid_request", message, {
		param: "from",
		hint: "Both are days in UTC and inclusive. Without them it is the last 30 days.",
	});
