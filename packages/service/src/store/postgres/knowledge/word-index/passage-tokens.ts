/** Parses the positions of some tokens of a passage, as `passage_words` has them. */
export function parsePositions(
	text: string,
	isWanted: (token: string) => boolean,
): ReadonlyMap<string, readonly number[]> {
	const positions = new Map<string, readonly number[]>();
	for (const [, token = "", list = ""] of text.matchAll(/'([^']+)':([^ ]+)/g))
		if (isWanted(token)) positions.set(token, list.split(",").map(Number));
	return positions;
}
