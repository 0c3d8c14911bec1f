const MEBIBYTE = 1024 * 1024;

/** Units that the tables use, in the base unit of their kind: milliseconds, bytes. */
const UNITS: Readonly<Record<string, number>> = {
	ms: 1,
	s: 1_000,
	min: 60_000,
	h: 3_600_000,
	day: 86_400_000,
	days: 86_400_000,
	kB: 1_000,
	MB: 1_000_000,
	KiB: 1024,
	MiB: MEBIBYTE,
	GiB: 1024 * MEBIBYTE,
};

/** Units that the end of a name tells, in the same base units. */
const SUFFIXES: Readonly<Record<string, number>> = {
	seconds: 1_000,
	minutes: 60_000,
	hours: 3_600_000,
	days: 86_400_000,
	mebibytes: MEBIBYTE,
};

/**
 * Reads the amount at the start of a cell: `20 MiB`, `1,000 for each workspace`, `2.5 s`. Times are milliseconds, sizes
 * bytes. Undefined where the cell starts with no number.
 */
export function readQuantity(cell: string): number | undefined {
	const [, digits, unit = ""] = /^(\d[\d,]*(?:\.\d+)?) ?([A-Za-z]*)/.exec(cell) ?? [];
	return digits === undefined ? undefined : Number(digits.replaceAll(",", "")) * (UNITS[unit] ?? 1);
}

/** A number of the code in the base unit that its name tells: `requestTimeoutSeconds`, `MAX_AGE_SECONDS`, `run_days`. */
export function toBaseUnit(name: string, value: number): number {
	const [suffix = ""] = /[A-Za-z]+$/.exec(name.replace(/([a-z])([A-Z])/g, "$1_$2")) ?? [];
	return value * (SUFFIXES[suffix.toLowerCase()] ?? 1);
}
