import { isJsonObject } from "@stemma/core/internal";
import { asList, asObject, asText, type Fields } from "../http/fields";
import type { Feature, ToolChoiceFeature } from "./dialect";
import { KEPT_FIELDS } from "./keepsakes";

/** What an endpoint says against a request. */
export interface Objection {
	/** In lower case. */
	readonly text: string;
	/** Where it says that the fault is, if it does: the names on the way to it. */
	readonly path: readonly string[];
}

/** Something that the endpoint can be asked without. */
export interface RefusedFeature {
	readonly feature: Feature;
	/** It holds for every call to this model, whoever makes it. */
	readonly isLasting: boolean;
}

/** The field of a body that an objection is about, the innermost that it names; undefined if it names none that was sent. */
export function findField(objection: Objection, sent: Fields): string | undefined {
	const names = namesIn(sent);
	const { path, text } = objection;
	const located = path.filter((name) => names.includes(name)).pop();
	if (located !== undefined && located !== "messages") return located;
	// Of what a message may hold beside its words, only the text tells.
	const isInMessages = (name: string): boolean => KEPT_FIELDS.some((kept) => kept === name);
	return names.find((name) => (!located || isInMessages(name)) && namesField(text, name)) ?? located;
}

/** The feature that the endpoint does not take, if the objection is that; undefined where it cannot be done without. */
export function toRefusedFeature(
	field: string,
	objection: Objection,
	sent: Fields,
): RefusedFeature | undefined {
	const { text } = objection;
	if (field === "response_format") return toRefusedFormat(objection, sent);
	if (NEEDED.includes(field)) return undefined;
	const choice = field === "tool_choice" ? toForcedFeature(sent.tool_choice) : undefined;
	// Whatever is wrong with it, the model can be told in words.
	if (choice !== undefined) return { feature: choice, isLasting: UNKNOWN.test(text) };
	if (field !== "encoding_format" && !UNKNOWN.test(text)) return undefined;
	// What else is sent are features. Whether answers may be streamed can hang on the account, strictness on the schema.
	const isLasting = field !== "stream" && !(field === "strict" && isOfSchema(objection));
	return { feature: field as Feature, isLasting };
}

const toForcedFeature = (choice: unknown): ToolChoiceFeature | undefined =>
	choice === "required" ? "tool_choice required" : isJsonObject(choice) ? "tool_choice named" : undefined;

/** Without these a call asks for nothing, or for something else. */
const NEEDED = ["model", "messages", "tools", "input", "dimensions"];

/**
 * Whatever is wrong with one format, the one below may do; where the endpoint takes none, it names none. A fault in one
 * schema says nothing about others.
 */
function toRefusedFormat(objection: Objection, sent: Fields): RefusedFeature | undefined {
	const { text, path } = objection;
	const { type, json_schema: wanted } = asObject(sent.response_format);
	if (type !== "json_schema" && type !== "json_object") return undefined;
	const isLasting = !isOfSchema(objection) && FORMAT_REFUSED.test(text);
	if (asObject(wanted).strict === true && (!isLasting || /\bstrict\b/.test(text)))
		return { feature: "strict", isLasting };
	const refused = !isLasting || path.length > 1 || ONE_FORMAT.test(text) ? type : "response_format";
	return { feature: sent.tools === undefined ? refused : `${refused} with tools`, isLasting };
}

const ONE_FORMAT = /schema|json_object|format[ .]type/;

/** Whether it speaks of what stands in a schema, and not of the format of that name. */
const isOfSchema = ({ text, path }: Objection): boolean =>
	path.includes("schema") ||
	/json_schema["'`]?[./[](?!strict)\w/.test(text) ||
	text.replaceAll("json_schema", "").includes("schema");

const REFUSED =
	"un(supported|recognized|known|expected|available)|(not|n't|no longer) (currently )?(support|permitted|allowed|available|implemented)|deprecated|incompatible|cannot be combined";
const EXTRA = "extra[ _](inputs|fields|forbidden)";
const FORMAT =
	/response[ _]format|json[ _](mode|schema|object)|response mime type(: '[^']*')?|structured output/;

const UNKNOWN = new RegExp(`${REFUSED}|${EXTRA}|only (the default|\\S+ is allowed)`);
/** The format is the subject, or the object, of the refusal; not a keyword beside it. */
const FORMAT_REFUSED = new RegExp(
	`(${FORMAT.source})[^:;,\\n]{0,60}(${REFUSED})|(${REFUSED})[a-z ]{0,40}\\W{0,4}(${FORMAT.source})|${EXTRA}`,
);

/** The names in a body that an endpoint may object to, the telling ones first: `model` may stand in any sentence. */
function namesIn(sent: Fields): string[] {
	const { model: _model, messages: _messages, ...rest } = sent;
	// Within a text, quotes would be escaped.
	const messages = JSON.stringify(sent.messages) ?? "";
	const inner = asObject(asObject(sent.response_format).json_schema);
	return [
		...KEPT_FIELDS.filter((name) => messages.includes(`"${name}":`)),
		...("strict" in inner || asList(sent.tools).some(isStrictTool) ? ["strict"] : []),
		...Object.keys(rest).sort((one, other) => other.length - one.length),
		...["messages", "model"].filter((name) => name in sent),
	];
}

const isStrictTool = (tool: unknown): boolean => "strict" in asObject(asObject(tool).function);

/** What endpoints call a field beside its name. */
const OTHER_NAMES: { readonly [field: string]: RegExp | undefined } = {
	response_format: FORMAT,
	stream_options: /include_usage/,
	stream: /support(ed)? (for )?streaming|streaming (is )?not/,
	tools: /support(ed)? (tools?|function)\b|"auto" tool choice|tool choice requires/,
	encoding_format: /base64/,
	dimensions: /matryoshka|output dimension/,
	input: /\binputs?\b/,
};

/** A name with an underscore means the field wherever it stands; a word only where it is quoted or called a field. */
function namesField(text: string, name: string): boolean {
	if (OTHER_NAMES[name]?.test(text)) return true;
	if (name.includes("_")) return new RegExp(`(^|[^a-z_])${name}([^a-z_]|$)`).test(text);
	return new RegExp(
		`["'\`]${name}\\b|^${name}$|\\b${CALLED}:? (the )?${name}\\b|\\b${name} (is|are|param|argument|field)`,
		"m",
	).test(text);
}
const CALLED = "(parameters?|arguments?|fields?|property|option|supplied|unknown|unsupported|support)";

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
