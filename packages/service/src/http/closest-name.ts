/** The known name that `name` was probably meant to be: at most a third of it differs. */
export function closestName(name: string, known: readonly string[]): string | undefined {
	if (name.length > 64) return undefined;
	const [best] = known
		.map((candidate) => ({ candidate, distance: editDistance(name.toLowerCase(), candidate.toLowerCase()) }))
		.filter(({ distance }) => distance <= Math.ceil(name.length / 3))
		.sort((a, b) => a.distance - b.distance);
	return best?.candidate;
}

/** Insertions, deletions and substitutions that turn `a` into `b`. */
function editDistance(a: string, b: string): number {
	let row = Array.from({ length: b.length + 1 }, (_, column) => column);
	for (let line = 1; line <= a.length; line++) {
		const next = [line];
		for (let column = 1; column <= b.length; column++) {
			const substituted = (row[column - 1] ?? 0) + (a[line - 1] === b[column - 1] ? 0 : 1);
			next.push(Math.min(substituted, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
		}
		row = next;
	}
	return row[b.length] ?? 0;
}
