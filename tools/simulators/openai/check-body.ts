import { checkMessages } from "./check-messages.ts";
import { checkSchema } from "./check-schema.ts";
import {
	demandArray,
	demandNumber,
	demandObject,
	demandOneOf,
	demandPositiveInteger,
	demandString,
	type Fields,
	isObject,
	refuseType,
	refuseUnknown,
} from "./field-checks.ts";
import { refuse } from "./refusal.ts";

/** What the vendor's own client sends (openai 7.57, `ChatCompletionCreateParams`). */
const KNOWN = new Set(
	`messages model audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens
	max_tokens metadata modalities moderation n parallel_tool_calls prediction presence_penalty prompt_cache_key
	prompt_cache_options prompt_cache_retention reasoning_effort response_format safety_identifier seed service_tier
	stop store stream stream_options temperature tool_choice tools top_logprobs top_p user verbosity
	web_search_options`.split(/\s+/),
);
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** The body of a request for a completion, looked at as the vendor does. */
export function checkBody(body: unknown): Fields {
	if (!isObject(body)) refuse("Invalid type for request body: expected an object.");
	const unknown = Object.keys(body).filter((name) => !KNOWN.has(name));
	if (unknown.length > 0)
		refuse(
			`Unrecognized request argument${unknown.length > 1 ? "s" : ""} supplied: ${unknown.sort().join(", ")}`,
		);
	if (body.model === undefined || body.model === "") refuse("you must provide a model parameter");
	demandString(body.model, "model");
	checkMessages(body.messages);
	checkStream(body);
	checkTokens(body);
	checkTools(body);
	checkSettings(body);
	if (body.response_format !== undefined) checkResponseFormat(body.response_format, body.messages);
	return body;
}

function checkSettings(body: Fields): void {
	const { temperature, top_p: topP, seed, stop, reasoning_effort: effort, verbosity } = body;
	if (temperature !== undefined) demandNumber(temperature, 0, 2, "temperature");
	if (topP !== undefined) demandNumber(topP, 0, 1, "top_p");
	if (seed !== undefined && !Number.isInteger(seed)) refuseType("seed", "integer", seed);
	for (const name of ["frequency_penalty", "presence_penalty"])
		if (body[name] !== undefined) demandNumber(body[name], -2, 2, name);
	if (stop !== undefined && typeof stop !== "string") checkStops(stop);
	if (body.logit_bias !== undefined)
		for (const [token, bias] of Object.entries(demandObject(body.logit_bias, "logit_bias")))
			demandNumber(bias, -100, 100, `logit_bias.${token}`);
	if (effort !== undefined)
		demandOneOf(effort, ["none", "minimal", "low", "medium", "high", "xhigh"], "reasoning_effort");
	if (verbosity !== undefined) demandOneOf(verbosity, ["low", "medium", "high"], "verbosity");
}

const MAX_STOPS = 4;

function checkStops(value: unknown): void {
	const stops = demandArray(value, "stop");
	for (const [index, stop] of stops.entries()) demandString(stop, `stop[${index}]`);
	if (stops.length > MAX_STOPS)
		refuse(
			`Invalid 'stop': array too long. Expected an array with maximum length ${MAX_STOPS}, but got an array with length ${stops.length} instead.`,
			"stop",
			"array_above_max_length",
		);
}

function checkStream({ stream, stream_options: options }: Fields): void {
	if (stream !== undefined && typeof stream !== "boolean") refuseType("stream", "boolean", stream);
	if (options === undefined || options === null) return;
	if (stream !== true)
		refuse("The 'stream_options' parameter is only allowed when 'stream' is enabled.", "stream_options");
	const { include_usage: includeUsage } = demandObject(options, "stream_options");
	refuseUnknown(
		demandObject(options, "stream_options"),
		["include_usage", "include_obfuscation"],
		"stream_options",
	);
	if (includeUsage !== undefined && typeof includeUsage !== "boolean")
		refuseType("stream_options.include_usage", "boolean", includeUsage);
}

function checkTokens({ max_tokens: old, max_completion_tokens: current }: Fields): void {
	if (old !== undefined && current !== undefined)
		refuse(
			"Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
			"max_tokens",
			"invalid_parameter_combination",
		);
	if (old !== undefined) demandPositiveInteger(old, "max_tokens");
	if (current !== undefined) demandPositiveInteger(current, "max_completion_tokens");
}

function checkTools({ tools, tool_choice: choice, parallel_tool_calls: parallel }: Fields): void {
	if (parallel !== undefined && typeof parallel !== "boolean")
		refuseType("parallel_tool_calls", "boolean", parallel);
	if (parallel !== undefined && tools === undefined)
		refuse(
			"Invalid value for 'parallel_tool_calls': 'parallel_tool_calls' is only allowed when 'tools' are specified.",
			"parallel_tool_calls",
		);
	if (choice !== undefined && tools === undefined)
		refuse(
			"Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.",
			"tool_choice",
		);
	if (tools === undefined) return;
	const listed = demandArray(tools, "tools");
	if (listed.length === 0)
		refuse("Invalid 'tools': empty array. Expected an array with minimum length 1.", "tools", "empty_array");
	listed.forEach((tool, index) => {
		checkTool(demandObject(tool, `tools[${index}]`), `tools[${index}]`);
	});
	if (typeof choice === "string") demandOneOf(choice, ["none", "auto", "required"], "tool_choice");
	else if (choice !== undefined) checkNamedChoice(demandObject(choice, "tool_choice"), listed);
}

function checkNamedChoice(choice: Fields, tools: readonly unknown[]): void {
	demandOneOf(choice.type, ["function"], "tool_choice.type");
	const name = demandString(
		demandObject(choice.function, "tool_choice.function").name,
		"tool_choice.function.name",
	);
	const isOffered = tools.some(
		(tool) => isObject(tool) && isObject(tool.function) && tool.function.name === name,
	);
	if (!isOffered)
		refuse("Tool choice 'function' not found in 'tools' parameter.", "tool_choice", "invalid_value");
}

function checkTool(tool: Fields, param: string): void {
	demandOneOf(tool.type, ["function"], `${param}.type`);
	refuseUnknown(tool, ["type", "function"], param);
	const offered = demandObject(tool.function, `${param}.function`);
	refuseUnknown(offered, ["name", "description", "parameters", "strict"], `${param}.function`);
	checkName(offered.name, `${param}.function.name`);
	if (offered.description !== undefined) demandString(offered.description, `${param}.function.description`);
	if (offered.strict !== undefined && offered.strict !== null && typeof offered.strict !== "boolean")
		refuseType(`${param}.function.strict`, "boolean", offered.strict);
	if (offered.parameters !== undefined)
		checkSchema(
			offered.parameters,
			offered.strict === true,
			`function '${offered.name}'`,
			`${param}.function.parameters`,
		);
}

function checkName(value: unknown, param: string): void {
	const name = demandString(value, param);
	if (NAME.test(name)) return;
	refuse(
		`Invalid '${param}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
		param,
		"invalid_value",
	);
}

/** The format without a schema is for those who say in words what they want. */
function checkSpeaksOfJson(messages: unknown): void {
	if (/json/i.test(JSON.stringify(messages))) return;
	refuse(
		"'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
		"messages",
	);
}

function checkResponseFormat(value: unknown, messages: unknown): void {
	const format = demandObject(value, "response_format");
	demandOneOf(format.type, ["text", "json_object", "json_schema"], "response_format.type");
	if (format.type === "json_object") checkSpeaksOfJson(messages);
	if (format.type !== "json_schema") return refuseUnknown(format, ["type"], "response_format");
	refuseUnknown(format, ["type", "json_schema"], "response_format");
	const param = "response_format.json_schema";
	const wanted = demandObject(format.json_schema, param);
	refuseUnknown(wanted, ["name", "description", "schema", "strict"], param);
	checkName(wanted.name, `${param}.name`);
	if (wanted.strict !== undefined && wanted.strict !== null && typeof wanted.strict !== "boolean")
		refuseType(`${param}.strict`, "boolean", wanted.strict);
	checkSchema(wanted.schema, wanted.strict === true, `response_format '${wanted.name}'`, "response_format");
}
