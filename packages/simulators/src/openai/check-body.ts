import { checkMessages } from "./check-messages.ts";
import { checkSchema } from "./check-schema.ts";
import {
	assertNumber,
	assertOneOf,
	assertPositiveInteger,
	type Fields,
	getArray,
	getObject,
	getString,
	isObject,
	rejectType,
	rejectUnknown,
} from "./field-checks.ts";
import { reject } from "./rejection.ts";

/** What the vendor's own client sends (openai 7.57, `ChatCompletionCreateParams`). */
const KNOWN_FIELDS = new Set(
	`messages model audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens
	max_tokens metadata modalities moderation n parallel_tool_calls prediction presence_penalty prompt_cache_key
	prompt_cache_options prompt_cache_retention reasoning_effort response_format safety_identifier seed service_tier
	stop store stream stream_options temperature tool_choice tools top_logprobs top_p user verbosity
	web_search_options`.split(/\s+/),
);
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** The body of a request for a completion, looked at as the vendor does. */
export function checkBody(body: unknown): Fields {
	if (!isObject(body)) reject("Invalid type for request body: expected an object.");
	const unknown = Object.keys(body).filter((name) => !KNOWN_FIELDS.has(name));
	if (unknown.length > 0)
		reject(
			`Unrecognized request argument${unknown.length > 1 ? "s" : ""} supplied: ${unknown.sort().join(", ")}`,
		);
	if (body.model === undefined || body.model === "") reject("you must provide a model parameter");
	getString(body.model, "model");
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
	if (temperature !== undefined) assertNumber(temperature, 0, 2, "temperature");
	if (topP !== undefined) assertNumber(topP, 0, 1, "top_p");
	if (seed !== undefined && !Number.isInteger(seed)) rejectType("seed", "integer", seed);
	for (const name of ["frequency_penalty", "presence_penalty"])
		if (body[name] !== undefined) assertNumber(body[name], -2, 2, name);
	if (stop !== undefined && typeof stop !== "string") checkStops(stop);
	if (body.logit_bias !== undefined)
		for (const [token, bias] of Object.entries(getObject(body.logit_bias, "logit_bias")))
			assertNumber(bias, -100, 100, `logit_bias.${token}`);
	if (effort !== undefined)
		assertOneOf(effort, ["none", "minimal", "low", "medium", "high", "xhigh"], "reasoning_effort");
	if (verbosity !== undefined) assertOneOf(verbosity, ["low", "medium", "high"], "verbosity");
}

const MAX_STOPS = 4;

function checkStops(value: unknown): void {
	const stops = getArray(value, "stop");
	for (const [index, stop] of stops.entries()) getString(stop, `stop[${index}]`);
	if (stops.length > MAX_STOPS)
		reject(
			`Invalid 'stop': array too long. Expected an array with maximum length ${MAX_STOPS}, but got an array with length ${stops.length} instead.`,
			"stop",
			"array_above_max_length",
		);
}

function checkStream({ stream, stream_options: options }: Fields): void {
	if (stream !== undefined && typeof stream !== "boolean") rejectType("stream", "boolean", stream);
	if (options === undefined || options === null) return;
	if (stream !== true)
		reject("The 'stream_options' parameter is only allowed when 'stream' is enabled.", "stream_options");
	const { include_usage: includeUsage } = getObject(options, "stream_options");
	rejectUnknown(
		getObject(options, "stream_options"),
		["include_usage", "include_obfuscation"],
		"stream_options",
	);
	if (includeUsage !== undefined && typeof includeUsage !== "boolean")
		rejectType("stream_options.include_usage", "boolean", includeUsage);
}

function checkTokens({ max_tokens: maxTokens, max_completion_tokens: maxCompletionTokens }: Fields): void {
	if (maxTokens !== undefined && maxCompletionTokens !== undefined)
		reject(
			"Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
			"max_tokens",
			"invalid_parameter_combination",
		);
	if (maxTokens !== undefined) assertPositiveInteger(maxTokens, "max_tokens");
	if (maxCompletionTokens !== undefined) assertPositiveInteger(maxCompletionTokens, "max_completion_tokens");
}

function checkTools({ tools, tool_choice: choice, parallel_tool_calls: parallel }: Fields): void {
	if (parallel !== undefined && typeof parallel !== "boolean")
		rejectType("parallel_tool_calls", "boolean", parallel);
	if (parallel !== undefined && tools === undefined)
		reject(
			"Invalid value for 'parallel_tool_calls': 'parallel_tool_calls' is only allowed when 'tools' are specified.",
			"parallel_tool_calls",
		);
	if (choice !== undefined && tools === undefined)
		reject(
			"Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.",
			"tool_choice",
		);
	if (tools === undefined) return;
	const listed = getArray(tools, "tools");
	if (listed.length === 0)
		reject("Invalid 'tools': empty array. Expected an array with minimum length 1.", "tools", "empty_array");
	listed.forEach((tool, index) => {
		checkTool(getObject(tool, `tools[${index}]`), `tools[${index}]`);
	});
	if (typeof choice === "string") assertOneOf(choice, ["none", "auto", "required"], "tool_choice");
	else if (choice !== undefined) checkNamedChoice(getObject(choice, "tool_choice"), listed);
}

function checkNamedChoice(choice: Fields, tools: readonly unknown[]): void {
	assertOneOf(choice.type, ["function"], "tool_choice.type");
	const name = getString(
		getObject(choice.function, "tool_choice.function").name,
		"tool_choice.function.name",
	);
	const isDefined = tools.some(
		(tool) => isObject(tool) && isObject(tool.function) && tool.function.name === name,
	);
	if (!isDefined)
		reject("Tool choice 'function' not found in 'tools' parameter.", "tool_choice", "invalid_value");
}

function checkTool(tool: Fields, param: string): void {
	assertOneOf(tool.type, ["function"], `${param}.type`);
	rejectUnknown(tool, ["type", "function"], param);
	const definition = getObject(tool.function, `${param}.function`);
	rejectUnknown(definition, ["name", "description", "parameters", "strict"], `${param}.function`);
	checkName(definition.name, `${param}.function.name`);
	if (definition.description !== undefined)
		getString(definition.description, `${param}.function.description`);
	if (definition.strict !== undefined && definition.strict !== null && typeof definition.strict !== "boolean")
		rejectType(`${param}.function.strict`, "boolean", definition.strict);
	if (definition.parameters !== undefined)
		checkSchema(
			definition.parameters,
			definition.strict === true,
			`function '${definition.name}'`,
			`${param}.function.parameters`,
		);
}

function checkName(value: unknown, param: string): void {
	const name = getString(value, param);
	if (NAME.test(name)) return;
	reject(
		`Invalid '${param}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
		param,
		"invalid_value",
	);
}

/** The format without a schema is for those who say in words what they want. */
function checkMentionsJson(messages: unknown): void {
	if (/json/i.test(JSON.stringify(messages))) return;
	reject(
		"'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
		"messages",
	);
}

function checkResponseFormat(value: unknown, messages: unknown): void {
	const format = getObject(value, "response_format");
	assertOneOf(format.type, ["text", "json_object", "json_schema"], "response_format.type");
	if (format.type === "json_object") checkMentionsJson(messages);
	if (format.type !== "json_schema") return rejectUnknown(format, ["type"], "response_format");
	rejectUnknown(format, ["type", "json_schema"], "response_format");
	const param = "response_format.json_schema";
	const wanted = getObject(format.json_schema, param);
	rejectUnknown(wanted, ["name", "description", "schema", "strict"], param);
	checkName(wanted.name, `${param}.name`);
	if (wanted.strict !== undefined && wanted.strict !== null && typeof wanted.strict !== "boolean")
		rejectType(`${param}.strict`, "boolean", wanted.strict);
	checkSchema(wanted.schema, wanted.strict === true, `response_format '${wanted.name}'`, "response_format");
}
