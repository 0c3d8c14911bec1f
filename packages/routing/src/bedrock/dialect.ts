/** What a model takes of that which not all do; the vendor refuses a request with anything else. */
export interface Dialect {
	readonly takesTemperature: boolean;
	/** An output schema beside the text, which is then held to it. */
	readonly takesOutputConfig: boolean;
	readonly takesSystem: boolean;
	/** That a call has failed, beside what its answer says. */
	readonly takesToolStatus: boolean;
	/** Tools in a streamed request. */
	readonly streamsTools: boolean;
}

/** What to begin with: there is no list of who takes what, so it is found out. */
export const FULL_DIALECT: Dialect = {
	takesTemperature: true,
	takesOutputConfig: true,
	takesSystem: true,
	takesToolStatus: true,
	streamsTools: true,
};

/** How a refusal names a field, in lower case, and what it means. */
const REFUSALS: readonly (readonly [field: string, refusal: RegExp, feature: keyof Dialect])[] = [
	["tools in a stream", /tool use in streaming/, "streamsTools"],
	["inferenceConfig.temperature", /\btemperature\b/, "takesTemperature"],
	["outputConfig", /output_?config|textformat|structured outputs?\b|json_?schema/, "takesOutputConfig"],
	["toolResult.status", /\bstatus field\b|toolresult\.status/, "takesToolStatus"],
	["system", /\bsystem (field|prompt|message|role|instruction)s?\b/, "takesSystem"],
];
const UNKNOWN =
	/n['’]?t support|not support|unsupported|deprecated|not permitted|not allowed|no longer|remove/;

/** The field that a refusal says the model does not take, of those that can be left out. */
export function findRefusedField(text: string): string | undefined {
	if (!UNKNOWN.test(text) && !/output_?config/.test(text)) return undefined;
	return REFUSALS.find(([, refusal]) => refusal.test(text))?.[0];
}

/** The dialect without a field that the model does not take; undefined where nothing else can be said. */
export function adaptDialect(dialect: Dialect, refusedField: string | undefined): Dialect | undefined {
	const feature = REFUSALS.find(([field]) => field === refusedField)?.[2];
	return feature === undefined || !dialect[feature] ? undefined : { ...dialect, [feature]: false };
}
