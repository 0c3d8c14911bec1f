/** `1 document`, `1,140 passages`. */
export const count = (number: number, noun: string): string =>
	`${number.toLocaleString("en-US")} ${noun}${number === 1 ? "" : "s"}`;
