import { quote } from "./quote";

/** Names further apart than this are no slip of the pen. */
const toMaxDistance = (name: string): number => Math.ceil(name.length / 3);

/**
 * Longest name that is compared. All known names are shorter, and comparing takes time that grows with the square of
 * the length.
 */
const MAX_NAME_CHARACTERS = 64;

/**
 * The number of insertions, deletions and substitutions that turn `a` into `b`; of more than `limit` only that it is more.
 */
function editDistance(a: string, b: string, limit: number): number {
	let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
	let current = [...previous];
	for (let row = 1; row <= a.length; row++) {
		let rowMinimum = row;
		current[0] = row;
		for (let column = 1; column <= b.length; column++) {
			const substituted = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
			const distance = Math.min(substituted, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1);
			current[column] = distance;
			if (distance < rowMinimum) rowMinimum = distance;
		}
		if (rowMinimum > limit) return rowMinimum;
		[previous, current] = [current, previous];
	}
	return previous[b.length] ?? 0;
}

/** The known name that `name` was probably meant to be, if there is one. Takes time linear in the number of names. */
export function closestName(name: string, known: Iterable<string>): string | undefined {
	if (name.length > MAX_NAME_CHARACTERS) return undefined;
	const lowerCase = name.toLowerCase();
	let closest: string | undefined;
	let maxDistance = toMaxDistance(name);
	for (const candidate of known) {
		if (maxDistance < 1) break;
		if (Math.abs(candidate.length - name.length) > maxDistance) continue;
		const distance = editDistance(lowerCase, candidate.toLowerCase(), maxDistance);
		if (distance > maxDistance) continue;
		maxDistance = distance - 1;
		closest = candidate;
	}
	return closest;
}

/** Returns ` Did you mean "…"?` with the closest known name, or an empty string. */
export type Suggest = (name: string, known: Iterable<string>) => string;

/** Creates a function that suggests names, for the first `maxSuggestions` calls only: each searches the whole list. */
export function createSuggest(maxSuggestions: number): Suggest {
	let suggested = 0;
	return (name, known) => {
		const closest = suggested++ < maxSuggestions ? closestName(name, known) : undefined;
		return closest === undefined ? "" : ` Did you mean ${quote(closest)}?`;
	};
}
