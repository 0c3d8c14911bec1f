import { InvalidArgumentError } from "commander";

/** An option that may be given several times, or with several values. */
export const collect = (text: string, all: readonly string[]): string[] => [...all, text];

/** @throws InvalidArgumentError for what is no whole number in this range. */
export const wholeNumber =
	(least: number, most: number) =>
	(text: string): number => {
		const number = Number(text);
		if (/^\d{1,15}$/.test(text) && number >= least && number <= most) return number;
		throw new InvalidArgumentError(
			`A whole number from ${least} to ${most.toLocaleString("en-US")} is needed.`,
		);
	};
