/**
 * Patterns of refusals, in lower case, by the field that can be left out. `tools in a stream` means tools in a streamed
 * request.
 */
const ERROR_PATTERNS = {
	"tools in a stream": /tool use in streaming/,
	"inferenceConfig.temperature": /\btemperature\b/,
	"inferenceConfig.topP": /\btop_?p\b/,
	"inferenceConfig.stopSequences": /\bstop_?sequences?\b/,
	"toolConfig.toolChoice": /\btool_?choice\b|\btool choice\b/,
	"toolSpec.strict": /\bstrict\b/,
	outputConfig: /output_?config|textformat|structured outputs?\b|json_?schema/,
	"toolResult.status": /\bstatus field\b|toolresult\.status/,
	system: /\bsystem (field|prompt|message|role|instruction)s?\b/,
};
const UNSUPPORTED =
	/n['’]?t support|not support|unsupported|deprecated|not permitted|not allowed|no longer|remove|cannot both/;

/** A field that not all models take. */
export type OptionalField = keyof typeof ERROR_PATTERNS;

/**
 * Optional fields that a model does not take: the vendor refuses a request with them. No list of them exists, so they
 * are learned from refusals.
 */
export type Dialect = ReadonlySet<OptionalField>;

/** The field that a refusal says the model does not take, of those that can be left out. */
export function findRejectedField(text: string): string | undefined {
	if (!UNSUPPORTED.test(text) && !/output_?config/.test(text)) return undefined;
	return Object.entries(ERROR_PATTERNS).find(([, pattern]) => pattern.test(text))?.[0];
}

/** Checks whether a field can be left out. */
export const isOptionalField = (field: string | undefined): field is OptionalField =>
	field !== undefined && Object.hasOwn(ERROR_PATTERNS, field);
