import { toTable } from "../engine/table.mjs";
import { formatNumber, toTimes } from "./format-number.mjs";
import { STEMMA, TRANSPORT } from "./formats.mjs";

/** @returns the fastest round of a client; undefined where it is too slow. */
export const findBest = (results, client, isMeant) =>
	results.find((result) => result.client === client && isMeant(result))?.timing?.min;

/** A line for each client at each size of pieces. */
export function toSizesTable(results) {
	const rows = results.map(({ client, size, length, steps, timing }) => {
		if (timing === undefined) return [client, formatNumber(size), "too slow", "", "", "", ""];
		const { min, median, max } = timing;
		const own = findBest(results, STEMMA, (result) => result.size === size);
		const toOurs = client === TRANSPORT ? "" : toTimes(min / own);
		return [client, ...[size, min, median, max, length / steps / min].map(formatNumber), toOurs];
	});
	const headings = ["client", "bytes a piece", "us a message", "median", "slowest", "MB/s", "to ours"];
	return toTable(headings, rows);
}

/** A line for each client, with a column for each length of the one event. */
export function toLengthsTable(results, lengths) {
	const clients = [...new Set(results.map(({ client }) => client))];
	const last = (client) => findBest(results, client, ({ deltas }) => deltas[0].length === lengths.at(-1));
	const rows = clients.map((client) => {
		const times = lengths.map((length) =>
			findBest(results, client, ({ deltas }) => deltas[0].length === length),
		);
		const toOurs =
			last(client) === undefined || client === TRANSPORT ? "" : toTimes(last(client) / last(STEMMA));
		const cells = times.map((time) => (time === undefined ? "too slow" : formatNumber(time / 1_000)));
		return [client, ...cells, formatNumber(toExponent(results, client)), toOurs];
	});
	const headings = [
		"client",
		...lengths.map((length, index) => `${index === 0 ? "ms for " : ""}${length / 2 ** 20} MiB`),
		"exponent",
		"to ours",
	];
	return toTable(headings, rows);
}

/**
 * Of the power of the length that the time grows with, from the shortest event to the longest: 1 is linear.
 *
 * @returns NaN where fewer than two lengths were measured.
 */
export function toExponent(results, client) {
	const points = results
		.filter((result) => result.client === client && result.timing !== undefined)
		.map(({ length, timing }) => ({ length, time: timing.min }))
		.sort((a, b) => a.length - b.length);
	const [first, last] = [points[0], points.at(-1)];
	if (points.length < 2) return Number.NaN;
	return Math.log(last.time / first.time) / Math.log(last.length / first.length);
}
