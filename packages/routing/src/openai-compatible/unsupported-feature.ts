import { isJsonObject } from "@stemma/core/internal";
import { asList, asObject, asText, type Fields } from "../http/lenient-json";
import type { Feature, ToolChoiceFeature } from "./dialect";
import { METADATA_FIELDS } from "./provider-metadata";

/** Refusal of a request, as the endpoint words it. */
export interface LocatedError {
	/** Text of the refusal, in lower case. */
	readonly text: string;
	/** Path to the faulty field, as names from the outermost to the innermost; empty where the endpoint names none. */
	readonly path: readonly string[];
}

/** Feature that the endpoint refuses and can be asked without. */
export interface UnsupportedFeature {
	readonly feature: Feature;
	/** True where the refusal holds for every call to this model by any caller. */
	readonly isPermanent: boolean;
}

/** The field of a body that an objection is about, the innermost that it names; undefined if it names none that was sent. */
export function findField(locatedError: LocatedError, sent: Fields): string | undefined {
	const names = listSentFields(sent);
	const { path, text } = locatedError;
	const locatedField = path.filter((name) => names.includes(name)).pop();
	if (locatedField !== undefined && locatedField !== "messages") return locatedField;
	// Of what a message may hold beside its words, only the text tells.
	const isInMessages = (name: string): boolean =>
		METADATA_FIELDS.some((metadataField) => metadataField === name);
	return (
		names.find((name) => (!locatedField || isInMessages(name)) && mentionsField(text, name)) ?? locatedField
	);
}

/** Returns the feature that the endpoint's error says it does not support. Undefined for a required field. */
export function toUnsupportedFeature(
	field: string,
	locatedError: LocatedError,
	sent: Fields,
): UnsupportedFeature | undefined {
	const { text } = locatedError;
	if (field === "response_format") return toUnsupportedFormat(locatedError, sent);
	if (REQUIRED_FIELDS.includes(field)) return undefined;
	const choice = field === "tool_choice" ? toForcedFeature(sent.tool_choice) : undefined;
	// Whatever is wrong with it, the model can be told in words.
	if (choice !== undefined) return { feature: choice, isPermanent: UNSUPPORTED.test(text) };
	if (field !== "encoding_format" && !UNSUPPORTED.test(text)) return undefined;
	// What else is sent are features. Whether answers may be streamed can hang on the account, strictness on the schema.
	const isPermanent = field !== "stream" && !(field === "strict" && concernsSchema(locatedError));
	return { feature: field as Feature, isPermanent };
}

const toForcedFeature = (choice: unknown): ToolChoiceFeature | undefined =>
	choice === "required" ? "tool_choice required" : isJsonObject(choice) ? "tool_choice named" : undefined;

/** Fields that are never left out: without them a call asks for nothing, or for something else. */
const REQUIRED_FIELDS = ["model", "messages", "tools", "input", "dimensions"];

/**
 * Returns the output format to leave out after a refusal. Whatever is wrong with one format, the next simpler one may
 * work; an endpoint that takes none does not name a single format. A fault in one schema says nothing about others.
 */
function toUnsupportedFormat(locatedError: LocatedError, sent: Fields): UnsupportedFeature | undefined {
	const { text, path } = locatedError;
	const { type, json_schema: wanted } = asObject(sent.response_format);
	if (type !== "json_schema" && type !== "json_object") return undefined;
	const isPermanent = !concernsSchema(locatedError) && FORMAT_UNSUPPORTED.test(text);
	if (asObject(wanted).strict === true && (!isPermanent || /\bstrict\b/.test(text)))
		return { feature: "strict", isPermanent };
	const unsupported = !isPermanent || path.length > 1 || ONE_FORMAT.test(text) ? type : "response_format";
	return { feature: sent.tools === undefined ? unsupported : `${unsupported} with tools`, isPermanent };
}

const ONE_FORMAT = /schema|json_object|format[ .]type/;

/** Checks whether the refusal is about the content of a schema, and not about the format of that name. */
const concernsSchema = ({ text, path }: LocatedError): boolean =>
	path.includes("schema") ||
	/json_schema["'`]?[./[](?!strict)\w/.test(text) ||
	text.replaceAll("json_schema", "").includes("schema");

const UNSUPPORTED_WORDS =
	"un(supported|recognized|known|expected|available)|(not|n't|no longer) (currently )?(support|permitted|allowed|available|implemented)|deprecated|incompatible|cannot be combined";
const EXTRA_FIELD_WORDS = "extra[ _](inputs|fields|forbidden)";
const FORMAT =
	/response[ _]format|json[ _](mode|schema|object)|response mime type(: '[^']*')?|structured output/;

const UNSUPPORTED = new RegExp(
	`${UNSUPPORTED_WORDS}|${EXTRA_FIELD_WORDS}|only (the default|\\S+ is allowed)`,
);
/** The format is the subject, or the object, of the refusal; not a keyword beside it. */
const FORMAT_UNSUPPORTED = new RegExp(
	`(${FORMAT.source})[^:;,\\n]{0,60}(${UNSUPPORTED_WORDS})|(${UNSUPPORTED_WORDS})[a-z ]{0,40}\\W{0,4}(${FORMAT.source})|${EXTRA_FIELD_WORDS}`,
);

/** The names in a body that an endpoint may object to, the telling ones first: `model` may stand in any sentence. */
function listSentFields(sent: Fields): string[] {
	const { model: _model, messages: _messages, ...rest } = sent;
	// Within a text, quotes would be escaped.
	const messages = JSON.stringify(sent.messages) ?? "";
	const inner = asObject(asObject(sent.response_format).json_schema);
	return [
		...METADATA_FIELDS.filter((name) => messages.includes(`"${name}":`)),
		...("strict" in inner || asList(sent.tools).some(isStrictTool) ? ["strict"] : []),
		...Object.keys(rest).sort((one, other) => other.length - one.length),
		...["messages", "model"].filter((name) => name in sent),
	];
}

const isStrictTool = (tool: unknown): boolean => "strict" in asObject(asObject(tool).function);

/** Other names that endpoints use for a field. */
const FIELD_ALIASES: { readonly [field: string]: RegExp | undefined } = {
	response_format: FORMAT,
	stream_options: /include_usage/,
	stream: /support(ed)? (for )?streaming|streaming (is )?not/,
	tools: /support(ed)? (tools?|function)\b|"auto" tool choice|tool choice requires/,
	encoding_format: /base64/,
	dimensions: /matryoshka|output dimension/,
	input: /\binputs?\b/,
};

/** A name with an underscore means the field wherever it stands; a word only where it is quoted or called a field. */
function mentionsField(text: string, name: string): boolean {
	if (FIELD_ALIASES[name]?.test(text)) return true;
	if (name.includes("_")) return new RegExp(`(^|[^a-z_])${name}([^a-z_]|$)`).test(text);
	return new RegExp(
		`["'\`]${name}\\b|^${name}$|\\b${FIELD_WORDS}:? (the )?${name}\\b|\\b${name} (is|are|param|argument|field)`,
		"m",
	).test(text);
}
const FIELD_WORDS = "(parameters?|arguments?|fields?|property|option|supplied|unknown|unsupported|support)";

/** The first of a list of faults that says where it is. */
export const findLocated = (list: unknown): Fields | undefined =>
	asList(list)
		.map(asObject)
		.find(({ loc }) => asList(loc).length > 0);

/** The way to the fault: as `param` says it, or `loc` of FastAPI and Mistral. */
export function readPath(error: Fields, body: Fields): string[] {
	const located = findLocated(
		[error, body]
			.flatMap(({ detail, message }) => [detail, message, asObject(message).detail])
			.flatMap(asList),
	);
	const path = located ? asList(located.loc) : asText(error.param).split(/[.[\]]+/);
	return path.map((part) => String(part).toLowerCase()).filter((part) => part !== "" && part !== "body");
}
