import { asObject, asText, parseObject } from "../http/lenient-json";

/** A passage as a knowledge base gives it to models. */
export interface SourcePassage {
	/** Number that the passage is cited by. */
	readonly n: number;
	readonly text: string;
	/** The title of its document. */
	readonly document: string;
	readonly heading: string;
	/** Position in the document at which the passage begins. */
	readonly start: number;
}

const MAX_NUMBER = 999_999;
const MAX_TEXT_LENGTH = 20_000;

/** The passages in the output of a knowledge base, which is JSON; `undefined` for any other text. */
export function parsePassages(content: string): SourcePassage[] | undefined {
	const text = content.trim();
	if (!text.startsWith("{") || !text.includes('"passages"')) return undefined;
	const { passages } = parseObject(text) ?? {};
	return Array.isArray(passages) ? passages.flatMap(toPassage) : undefined;
}

function toPassage(value: unknown): SourcePassage[] {
	const { n, text, document, place } = asObject(value);
	if (typeof n !== "number" || !Number.isInteger(n) || n < 1 || n > MAX_NUMBER) return [];
	if (typeof text !== "string") return [];
	const { heading, start } = asObject(place);
	return [
		{
			n,
			text: text.slice(0, MAX_TEXT_LENGTH),
			document: asText(document),
			heading: asText(heading),
			start: typeof start === "number" ? start : 0,
		},
	];
}
