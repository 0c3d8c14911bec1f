/**
 * Longest text that is quoted in full, in characters. As long as the longest id, so that every valid id is shown whole.
 */
const MAX_QUOTED_CHARACTERS = 64;

/** A text in quotes, for a message; cut where it is long, since anything may be in it. */
export function quote(text: string): string {
	return JSON.stringify(
		text.length > MAX_QUOTED_CHARACTERS ? `${text.slice(0, MAX_QUOTED_CHARACTERS)}…` : text,
	);
}
