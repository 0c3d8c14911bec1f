const language = typeof navigator === "undefined" ? "en" : navigator.language;
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Duration in the unit that suits it: `340 ms`, `2.4 sec`, `3 min`, `26 hr`. */
export function formatDuration(ms: number): string {
	if (ms < SECOND_MS) return format(Math.max(0, Math.round(ms)), "millisecond");
	if (ms < MINUTE_MS) return format(ms / SECOND_MS, "second");
	return ms < HOUR_MS ? format(ms / MINUTE_MS, "minute") : format(ms / HOUR_MS, "hour");
}

const format = (value: number, unit: string): string =>
	new Intl.NumberFormat(language, { style: "unit", unit, maximumFractionDigits: 1 }).format(value);
