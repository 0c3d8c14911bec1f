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
	if (body.temperature !== undefined) demandNumber(body.temperature, 0, 2, "temperature");
	if (body.response_format !== undefined) checkResponseFormat(body.response_format);
	return body;
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

function checkTools({ tools, tool_choice: choice }: Fields): void {
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
	else if (choice !== undefined) demandObject(choice, "tool_choice");
}

function checkTool(tool: Fields, param: string): void {
	demandOneOf(tool.type, ["function"], `${param}.type`);
	refuseUnknown(tool, ["type", "function"], param);
	const offered = demandObject(tool.function, `${param}.function`);
	refuseUnknown(offered, ["name", "description", "parameters", "strict"], `${param}.function`);
	checkName(offered.name, `${param}.function.name`);
	if (offered.description !== undefined) demandString(offered.description, `${param}.function.description`);
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

function checkResponseFormat(value: unknown): void {
	const format = demandObject(value, "response_format");
	demandOneOf(format.type, ["text", "json_object", "json_schema"], "response_format.type");
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
