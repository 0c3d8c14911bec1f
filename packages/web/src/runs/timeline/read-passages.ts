import type { Json } from "@stemma/core";

/** Passage that a knowledge node found. */
export interface FoundPassage {
	/** Number in the run. */
	readonly number: number;
	/** Title of the document. */
	readonly title: string;
	readonly text: string;
}

/** Reads the output of a knowledge node: `{query, passages: [{n, document, text}]}`. `undefined` for anything else. */
export function readPassages(output: Json | undefined): readonly FoundPassage[] | undefined {
	const { passages } = Object(output);
	if (!Array.isArray(passages)) return undefined;
	const found = passages.map(readPassage);
	return found.every((passage) => passage !== undefined) ? found : undefined;
}

function readPassage(json: unknown): FoundPassage | undefined {
	const { n, document, text } = Object(json);
	if (typeof n !== "number" || typeof document !== "string" || typeof text !== "string") return undefined;
	return { number: n, title: document, text };
}
