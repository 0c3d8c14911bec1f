/** The day of a time, UTC: `2026-01-31`. */
export const toDay = (time: number): string => new Date(time).toISOString().slice(0, 10);

export const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns the start of a day, in epoch milliseconds. */
export const toDayStart = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** True for `2026-01-31`, and not for `2026-02-31`; of this millennium. */
export function isDay(text: string): boolean {
	if (!/^2\d{3}-\d\d-\d\d$/.test(text)) return false;
	const time = toDayStart(text);
	return !Number.isNaN(time) && toDay(time) === text;
}
