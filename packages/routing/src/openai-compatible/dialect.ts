import type { MetadataField } from "./provider-metadata";

/**
 * Feature that an endpoint of this format may refuse and that a request can do without. Output formats count separately
 * where tools are shown: some endpoints take each of the two, but not both.
 */
export type Feature =
	| TokenLimit
	| FormatFeature
	| `${FormatFeature} with tools`
	| MetadataField
	| "temperature"
	| ToolChoiceFeature
	| "stream"
	| "stream_options"
	| "strict"
	| "encoding_format";

/** Choice that an endpoint may lack. `tool_choice` alone: the choice that no tool may be called. */
export type ToolChoiceFeature = "tool_choice" | "tool_choice required" | "tool_choice named";
export type TokenLimit = "max_tokens" | "max_completion_tokens";
export type OutputFormat = "json_schema" | "json_object";
/** One format, or all of them. */
export type FormatFeature = OutputFormat | "response_format";

/** Variant of the format that an endpoint understands. */
export interface Dialect {
	/** OpenAI's newer models take only the second; most others, and the stricter ones, only the first. */
	readonly tokenLimit: TokenLimit;
	readonly unsupported: ReadonlySet<Feature>;
}

/** Pattern for hosts where `max_tokens` is deprecated, or is gone for some models. */
const NEWER_LIMIT_HOSTS =
	/^api\.(openai|groq)\.com$|\.openai\.azure\.com$|^bedrock-(runtime|runtime-fips|mantle)\..+\.(amazonaws\.com|api\.aws)$/;

/** Returns the token limit that is tried first at a host: `max_tokens` or `max_completion_tokens`. */
export const toTokenLimit = (host: string): TokenLimit =>
	NEWER_LIMIT_HOSTS.test(host) ? "max_completion_tokens" : "max_tokens";

/** The field that limits the tokens of an answer; none where the endpoint takes neither. */
export const chooseTokenLimit = ({ tokenLimit, unsupported }: Dialect): TokenLimit | undefined =>
	[tokenLimit, ...TOKEN_LIMITS].find((limit) => !unsupported.has(limit));

const TOKEN_LIMITS = ["max_tokens", "max_completion_tokens"] as const;

/**
 * Chooses how the endpoint is asked for JSON. Where it takes none of the formats, the instructions alone ask for it.
 */
export function chooseOutputFormat(
	formats: readonly OutputFormat[],
	{ unsupported }: Dialect,
	hasTools: boolean,
): OutputFormat | undefined {
	const supports = (feature: FormatFeature): boolean =>
		!unsupported.has(feature) && !(hasTools && unsupported.has(`${feature} with tools`));
	return supports("response_format") ? formats.find(supports) : undefined;
}
