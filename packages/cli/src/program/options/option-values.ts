import { InvalidArgumentError } from "commander";

/** An option that may be given several times, or with several values. */
export const collect = (text: string, all: readonly string[]): string[] => [...all, text];

/** @throws InvalidArgumentError for what is no day of the calendar. */
export function parseDay(text: string): string {
	const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
	// Some platforms read 31 April as 1 May.
	if (!Number.isNaN(time) && new Date(time).toISOString().startsWith(text)) return text;
	throw new InvalidArgumentError("Expected a day such as 2026-01-31.");
}

/** @throws InvalidArgumentError for what is no whole number in this range. */
export const parseWholeNumber =
	(min: number, max: number) =>
	(text: string): number => {
		const number = Number(text);
		if (/^\d{1,15}$/.test(text) && number >= min && number <= max) return number;
		throw new InvalidArgumentError(`Expected a whole number from ${min} to ${max.toLocaleString("en-US")}.`);
	};
