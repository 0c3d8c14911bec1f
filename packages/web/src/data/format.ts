/** Numbers, sizes and times in the form of the reader's language. */
const language = typeof navigator === "undefined" ? "en" : navigator.language;

const numberFormat = new Intl.NumberFormat(language);
const percentFormat = new Intl.NumberFormat(language, { style: "percent" });
const scoreFormat = new Intl.NumberFormat(language, { maximumSignificantDigits: 3 });
const timeFormat = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;

export const formatNumber = (value: number): string => numberFormat.format(value);

/** @param share - 0 to 1. */
export const formatPercent = (share: number): string => percentFormat.format(share);

export const formatScore = (score: number): string => scoreFormat.format(score);

export const formatTime = (time: string): string => timeFormat.format(new Date(time));

export const formatMs = (ms: number): string =>
	new Intl.NumberFormat(language, { style: "unit", unit: "millisecond" }).format(ms);

export function formatBytes(bytes: number): string {
	const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
	const unit = UNITS[power] ?? "byte";
	const unitDisplay = power === 0 ? "long" : "short";
	const format = new Intl.NumberFormat(language, {
		...{ style: "unit", unit, unitDisplay },
		maximumFractionDigits: 1,
	});
	return format.format(bytes / 1000 ** power);
}

const compactFormat = new Intl.NumberFormat(language, { notation: "compact", maximumFractionDigits: 2 });
const dayFormat = new Intl.DateTimeFormat(language, { day: "numeric", month: "short", timeZone: "UTC" });

/** Amount of money, with the decimals that it has, at least two and at most nine. @param amount - decimal number. */
export function formatMoney(amount: string, currency: string): string {
	const format = new Intl.NumberFormat(language, {
		...{ style: "currency", currency, currencyDisplay: "code" },
		...{ minimumFractionDigits: 2, maximumFractionDigits: 9 },
	});
	// For the eye alone: what is added up are whole numbers.
	return format.format(Number(amount));
}

/** Number in few characters, such as 1.2M. */
export const formatCompact = (value: number): string => compactFormat.format(value);

/** Day such as `2026-01-31`, which is one in UTC, without its year. */
export const formatDay = (day: string): string => dayFormat.format(new Date(day));
