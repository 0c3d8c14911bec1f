import {
	demandArray,
	demandObject,
	demandOneOf,
	demandString,
	type Fields,
	refuseType,
	refuseUnknown,
} from "./field-checks.ts";
import { refuse } from "./refusal.ts";

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
	const messages = demandArray(value, "messages").map((message, index) =>
		demandObject(message, `messages[${index}]`),
	);
	if (messages.length === 0)
		refuse(
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
	demandOneOf(message.role, ROLES, `${param}.role`);
	refuseUnknown(message, FIELDS[String(message.role)] ?? [], param);
	if (message.role === "assistant") checkAssistant(message, param);
	else checkContent(message.content, `${param}.content`);
	if (message.role === "tool") demandString(message.tool_call_id, `${param}.tool_call_id`);
}

function checkContent(content: unknown, param: string): void {
	if (typeof content === "string") return;
	if (!Array.isArray(content)) refuseType(param, "string", content);
	content.forEach((part, index) => {
		demandString(demandObject(part, `${param}[${index}]`).type, `${param}[${index}].type`);
	});
}

function checkAssistant({ content, tool_calls: calls }: Fields, param: string): void {
	if (calls === undefined || content !== null) {
		if (calls === undefined || content !== undefined) checkContent(content, `${param}.content`);
	}
	if (calls === undefined) return;
	const listed = demandArray(calls, `${param}.tool_calls`);
	if (listed.length === 0)
		refuse(
			`Invalid '${param}.tool_calls': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
			`${param}.tool_calls`,
			"empty_array",
		);
	listed.forEach((call, index) => {
		checkCall(demandObject(call, `${param}.tool_calls[${index}]`), `${param}.tool_calls[${index}]`);
	});
}

function checkCall(call: Fields, param: string): void {
	refuseUnknown(call, ["id", "type", "function"], param);
	demandString(call.id, `${param}.id`);
	demandOneOf(call.type, ["function"], `${param}.type`);
	const made = demandObject(call.function, `${param}.function`);
	refuseUnknown(made, ["name", "arguments"], `${param}.function`);
	demandString(made.name, `${param}.function.name`);
	demandString(made.arguments, `${param}.function.arguments`);
}

/** Tool messages answer the calls of the assistant message before them, all of them and no others. */
function checkAnswers(messages: readonly Fields[]): void {
	let open = new Set<unknown>();
	let offered = new Set<unknown>();
	messages.forEach((message, index) => {
		if (message.role === "tool") {
			if (!offered.has(message.tool_call_id)) refuseAnswer(index);
			open.delete(message.tool_call_id);
			return;
		}
		refuseOpen(open, index);
		offered = new Set(callsOf(message).map(({ id }) => id));
		open = new Set(offered);
	});
	refuseOpen(open, messages.length - 1);
}

const callsOf = ({ tool_calls: calls }: Fields): readonly Fields[] => (Array.isArray(calls) ? calls : []);

const refuseAnswer = (index: number): never =>
	refuse(
		"Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
		`messages.[${index}].role`,
	);

function refuseOpen(open: ReadonlySet<unknown>, index: number): void {
	if (open.size === 0) return;
	refuse(
		`An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...open].join(", ")}`,
		`messages.[${index}].role`,
	);
}
