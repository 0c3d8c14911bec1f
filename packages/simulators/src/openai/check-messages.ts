import {
	assertOneOf,
	type Fields,
	getArray,
	getObject,
	getString,
	rejectType,
	rejectUnknown,
} from "./field-checks.ts";
import { reject } from "./rejection.ts";

const ROLES = ["system", "assistant", "user", "tool", "developer"];
const FIELDS: { readonly [role: string]: readonly string[] } = {
	system: ["role", "content", "name"],
	developer: ["role", "content", "name"],
	user: ["role", "content", "name"],
	assistant: ["role", "content", "name", "refusal", "audio", "tool_calls"],
	tool: ["role", "content", "tool_call_id"],
};

/** Each message alone, then that calls and their answers stand together. */
export function checkMessages(value: unknown): void {
	const messages = getArray(value, "messages").map((message, index) =>
		getObject(message, `messages[${index}]`),
	);
	if (messages.length === 0)
		reject(
			"Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
			"messages",
			"empty_array",
		);
	messages.forEach((message, index) => {
		checkMessage(message, `messages[${index}]`);
	});
	checkAnswers(messages);
}

function checkMessage(message: Fields, param: string): void {
	assertOneOf(message.role, ROLES, `${param}.role`);
	rejectUnknown(message, FIELDS[String(message.role)] ?? [], param);
	if (message.role === "assistant") checkAssistant(message, param);
	else checkContent(message.content, `${param}.content`);
	if (message.role === "tool") getString(message.tool_call_id, `${param}.tool_call_id`);
}

function checkContent(content: unknown, param: string): void {
	if (typeof content === "string") return;
	if (!Array.isArray(content)) rejectType(param, "string", content);
	content.forEach((part, index) => {
		getString(getObject(part, `${param}[${index}]`).type, `${param}[${index}].type`);
	});
}

function checkAssistant({ content, tool_calls: calls }: Fields, param: string): void {
	if (calls === undefined || content !== null) {
		if (calls === undefined || content !== undefined) checkContent(content, `${param}.content`);
	}
	if (calls === undefined) return;
	const listed = getArray(calls, `${param}.tool_calls`);
	if (listed.length === 0)
		reject(
			`Invalid '${param}.tool_calls': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
			`${param}.tool_calls`,
			"empty_array",
		);
	listed.forEach((call, index) => {
		checkCall(getObject(call, `${param}.tool_calls[${index}]`), `${param}.tool_calls[${index}]`);
	});
}

function checkCall(call: Fields, param: string): void {
	rejectUnknown(call, ["id", "type", "function"], param);
	getString(call.id, `${param}.id`);
	assertOneOf(call.type, ["function"], `${param}.type`);
	const calledFunction = getObject(call.function, `${param}.function`);
	rejectUnknown(calledFunction, ["name", "arguments"], `${param}.function`);
	getString(calledFunction.name, `${param}.function.name`);
	getString(calledFunction.arguments, `${param}.function.arguments`);
}

/** Tool messages answer the calls of the assistant message before them, all of them and no others. */
function checkAnswers(messages: readonly Fields[]): void {
	let unanswered = new Set<unknown>();
	let callIds = new Set<unknown>();
	messages.forEach((message, index) => {
		if (message.role === "tool") {
			if (!callIds.has(message.tool_call_id)) rejectToolMessage(index);
			unanswered.delete(message.tool_call_id);
			return;
		}
		rejectUnanswered(unanswered, index);
		callIds = new Set(callsOf(message).map(({ id }) => id));
		unanswered = new Set(callIds);
	});
	rejectUnanswered(unanswered, messages.length - 1);
}

const callsOf = ({ tool_calls: calls }: Fields): readonly Fields[] => (Array.isArray(calls) ? calls : []);

const rejectToolMessage = (index: number): never =>
	reject(
		"Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
		`messages.[${index}].role`,
	);

function rejectUnanswered(unanswered: ReadonlySet<unknown>, index: number): void {
	if (unanswered.size === 0) return;
	reject(
		`An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...unanswered].join(", ")}`,
		`messages.[${index}].role`,
	);
}
