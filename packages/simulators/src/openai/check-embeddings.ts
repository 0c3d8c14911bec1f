import { assertOneOf, assertPositiveInteger, type Fields, isObject, rejectType } from "./field-checks.ts";
import { reject } from "./rejection.ts";

/** What a model of the vendor takes. */
export interface EmbeddingLimits {
	/** The length of its vectors, and the longest that can be asked for. Default 256. */
	readonly dimensions?: number;
	/** How many texts it takes in one request. Default 2,048. */
	readonly inputs?: number;
	/** How many tokens it takes in one request, four characters to a token. Default 300,000. */
	readonly tokens?: number;
}

export const DEFAULT_DIMENSIONS = 256;
const MAX_INPUTS = 2048;
const MAX_TOKENS = 300_000;
const MAX_INPUT_TOKENS = 8192;

/** What the vendor's own client sends (openai 7.57, `EmbeddingCreateParams`). */
const KNOWN_FIELDS = ["input", "model", "dimensions", "encoding_format", "user"];

export const countTokens = (text: string): number => Math.ceil(text.length / 4);

/** The texts of a request. */
export const textsOf = ({ input }: Fields): readonly string[] => [input].flat() as string[];

/** The body of a request for embeddings, looked at as the vendor does. Token lists are not taken. */
export function checkEmbeddings(body: unknown, limits: EmbeddingLimits): Fields {
	if (!isObject(body)) reject("Invalid type for request body: expected an object.");
	const unknown = Object.keys(body).filter((name) => !KNOWN_FIELDS.includes(name));
	if (unknown.length > 0) reject(`Unrecognized request argument supplied: ${unknown.sort().join(", ")}`);
	if (typeof body.model !== "string" || body.model === "") reject("you must provide a model parameter");
	checkInput(body.input, limits);
	if (body.encoding_format !== undefined)
		assertOneOf(body.encoding_format, ["float", "base64"], "encoding_format");
	if (body.dimensions !== undefined) checkDimensions(body.dimensions, limits);
	return body;
}

function checkInput(input: unknown, limits: EmbeddingLimits): void {
	const texts = typeof input === "string" ? [input] : input;
	if (!Array.isArray(texts)) rejectType("input", "string", input);
	const { inputs = MAX_INPUTS, tokens: maxTokens = MAX_TOKENS } = limits;
	if (texts.length === 0 || texts.some((text) => typeof text !== "string" || text === ""))
		reject(
			"'$.input' is invalid. Please check the API reference: https://platform.openai.com/docs/api-reference.",
		);
	if (texts.length > inputs)
		reject(
			`Invalid 'input': array too long. Expected an array with maximum length ${inputs}, but got an array with length ${texts.length} instead.`,
			"input",
			"array_above_max_length",
		);
	const tokens = texts.map(countTokens);
	const maxInputTokens = Math.max(...tokens);
	if (maxInputTokens > MAX_INPUT_TOKENS)
		reject(
			`This model's maximum context length is ${MAX_INPUT_TOKENS} tokens, however you requested ${maxInputTokens} tokens. Please reduce your prompt.`,
		);
	const total = tokens.reduce((sum, count) => sum + count, 0);
	if (total > maxTokens)
		reject(`Requested ${total} tokens, max ${maxTokens} tokens per request`, null, "max_tokens_per_request");
}

function checkDimensions(value: unknown, { dimensions = DEFAULT_DIMENSIONS }: EmbeddingLimits): void {
	assertPositiveInteger(value, "dimensions");
	if (Number(value) > dimensions)
		reject(
			`Invalid value for 'dimensions' = ${value}. Must be less than or equal to ${dimensions}.`,
			"dimensions",
		);
}
