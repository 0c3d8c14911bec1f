import { demandOneOf, demandPositiveInteger, type Fields, isObject, refuseType } from "./field-checks.ts";
import { refuse } from "./refusal.ts";

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
const MOST_INPUTS = 2048;
const MOST_TOKENS = 300_000;
const MOST_TOKENS_OF_ONE = 8192;

/** What the vendor's own client sends (openai 7.57, `EmbeddingCreateParams`). */
const KNOWN = ["input", "model", "dimensions", "encoding_format", "user"];

export const countTokens = (text: string): number => Math.ceil(text.length / 4);

/** The texts of a request. */
export const textsOf = ({ input }: Fields): readonly string[] => [input].flat() as string[];

/** The body of a request for embeddings, looked at as the vendor does. Token lists are not taken. */
export function checkEmbeddings(body: unknown, limits: EmbeddingLimits): Fields {
	if (!isObject(body)) refuse("Invalid type for request body: expected an object.");
	const unknown = Object.keys(body).filter((name) => !KNOWN.includes(name));
	if (unknown.length > 0) refuse(`Unrecognized request argument supplied: ${unknown.sort().join(", ")}`);
	if (typeof body.model !== "string" || body.model === "") refuse("you must provide a model parameter");
	checkInput(body.input, limits);
	if (body.encoding_format !== undefined)
		demandOneOf(body.encoding_format, ["float", "base64"], "encoding_format");
	if (body.dimensions !== undefined) checkDimensions(body.dimensions, limits);
	return body;
}

function checkInput(input: unknown, limits: EmbeddingLimits): void {
	const texts = typeof input === "string" ? [input] : input;
	if (!Array.isArray(texts)) refuseType("input", "string", input);
	const { inputs = MOST_INPUTS, tokens: most = MOST_TOKENS } = limits;
	if (texts.length === 0 || texts.some((text) => typeof text !== "string" || text === ""))
		refuse(
			"'$.input' is invalid. Please check the API reference: https://platform.openai.com/docs/api-reference.",
		);
	if (texts.length > inputs)
		refuse(
			`Invalid 'input': array too long. Expected an array with maximum length ${inputs}, but got an array with length ${texts.length} instead.`,
			"input",
			"array_above_max_length",
		);
	const tokens = texts.map(countTokens);
	const longest = Math.max(...tokens);
	if (longest > MOST_TOKENS_OF_ONE)
		refuse(
			`This model's maximum context length is ${MOST_TOKENS_OF_ONE} tokens, however you requested ${longest} tokens. Please reduce your prompt.`,
		);
	const total = tokens.reduce((sum, count) => sum + count, 0);
	if (total > most)
		refuse(`Requested ${total} tokens, max ${most} tokens per request`, null, "max_tokens_per_request");
}

function checkDimensions(value: unknown, { dimensions = DEFAULT_DIMENSIONS }: EmbeddingLimits): void {
	demandPositiveInteger(value, "dimensions");
	if (Number(value) > dimensions)
		refuse(
			`Invalid value for 'dimensions' = ${value}. Must be less than or equal to ${dimensions}.`,
			"dimensions",
		);
}
