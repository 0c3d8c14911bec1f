/** Number of items with each key. */
export function countBy<T>(items: readonly T[], toKey: (item: T) => string): Map<string, number> {
	const counts = new Map<string, number>();
	for (const item of items) counts.set(toKey(item), (counts.get(toKey(item)) ?? 0) + 1);
	return counts;
}
