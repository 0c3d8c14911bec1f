/** The value below which a share of all values lies. */
export function quantile(values, share) {
	const sorted = values.toSorted((a, b) => a - b);
	return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

export const median = (values) => quantile(values, 0.5);

/** How long each of several calls takes, one after the other, in milliseconds. */
export async function timeEach(items, call) {
	const times = [];
	for (const item of items) {
		const startedAt = performance.now();
		await call(item);
		times.push(performance.now() - startedAt);
	}
	return times;
}
