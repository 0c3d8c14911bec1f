import type { ParsedError } from "../map-error";

/** Maximum number of texts in one request, by vendor. */
const BATCH_SIZES: readonly (readonly [host: RegExp, size: number])[] = [
	[/^api\.openai\.com$|\.openai\.azure\.com$/, 2048],
	[/^api\.voyageai\.com$/, 128],
	[/^generativelanguage\.googleapis\.com$/, 100],
	[/^api\.cohere\.(com|ai)$/, 96],
];
/** Batch size for unknown hosts: the default limit of text-embeddings-inference. */
const DEFAULT_BATCH_SIZE = 32;

export const toBatchSize = (host: string): number =>
	BATCH_SIZES.find(([pattern]) => pattern.test(host))?.[1] ?? DEFAULT_BATCH_SIZE;

/** Maximum number of tokens in one batch: OpenAI's limit for one request. */
const MAX_BATCH_TOKENS = 300_000;

/** The texts that are sent next: no more than `size`, nor than a request may hold; one at least. */
export function takeBatch(texts: readonly string[], from: number, size: number): readonly string[] {
	let tokens = 0;
	let to = from;
	for (; to < texts.length && to - from < size; to++) {
		tokens += estimateTokens(texts[to] ?? "");
		if (tokens > MAX_BATCH_TOKENS && to > from) break;
	}
	return texts.slice(from, to);
}

/** Rather too many than too few: two characters of ASCII to a token, where most texts have four; others more than one. */
function estimateTokens(text: string): number {
	let tokens = 0;
	for (let index = 0; index < text.length; index++) tokens += text.charCodeAt(index) < 0x80 ? 0.5 : 1.5;
	return tokens;
}

/** Reason why a batch was refused for its size. */
export interface BatchTooLarge {
	/** True where the batch has too many texts, whichever they are; false where it is too long. */
	readonly isCountLimit: boolean;
}

/** Undefined where fewer texts at once would be refused as well: for one of them, or for something else. */
export function readBatchTooLarge({
	status,
	failure: { code, field },
	text,
}: ParsedError): BatchTooLarge | undefined {
	if (code !== "bad_request" && code !== "context_length") return undefined;
	if ((field !== undefined && field !== "input") || SINGLE_INPUT.test(text)) return undefined;
	if (status !== 413 && !OVERSIZE.test(text)) return undefined;
	return { isCountLimit: COUNT.test(text) && !text.includes("token") };
}
/** Phrases alone: names hold the word (`BatchEmbedContentsRequest`), and so may a text that is repeated. */
const COUNT =
	/batch[ _]size|in (one|a single) batch|too many inputs|array too long|array_above_max_length|number of (inputs|texts)|at most \d+ (requests|inputs|texts)/;
const OVERSIZE = new RegExp(
	`${COUNT.source}|tokens[ _]per[ _](request|(submitted )?batch)|tokens in (the |a )?batch|too large`,
);
const SINGLE_INPUT = /\[\d+\]|\b(input|inputs|index|item)[ .:]+\d/;
