import type { ApprovalDecision, ConversationMessage, JsonObject } from "@stemma/core";
import type { RunInput } from "../../types/run";
import {
	type Fields,
	quoteValue,
	type RequestIssue,
	readRequest,
	toFields,
	toId,
	toIssue,
	toList,
} from "../request-issue";

/** Request of `useChat` as it asks for a run. */
export type ChatRequest = ChatRunRequest | ChatDecisionRequest;

/** Request to run an agent. */
export interface ChatRunRequest extends RunInput {
	readonly type: "run";
	/** Id of the chat, chosen by the page. */
	readonly chat_id: string;
}

/** Request to go on with a run that has paused. */
export interface ChatDecisionRequest {
	readonly type: "decisions";
	readonly chat_id: string;
	readonly run_id: string;
	/** Sequence number of the last event that the page has: its encoder gets it. */
	readonly after: number;
	readonly decisions: readonly ApprovalDecision[];
}

/** Parts of answers that are no input of the next run. */
const OUTPUT_PART = /^(reasoning|step-start|source-url|source-document|dynamic-tool|tool-.*|data-.*)$/;

/**
 * Reads what the `DefaultChatTransport` of the AI SDK sends: `{id, messages, trigger, messageId}`, and `context` of the
 * run. The last message of the user is the input, and those before it are the history. A last message of the assistant
 * carries decisions on its approvals. Other fields are ignored.
 */
export function readChatRequest(body: unknown): ChatRequest | RequestIssue {
	return readRequest(() => parseRequest(body));
}

function parseRequest(body: unknown): ChatRequest {
	const fields = toFields(body, "", "The body has to be a JSON object.");
	const { id, trigger = "submit-message", messages, context } = fields;
	const chat_id = toId(id, "id");
	if (trigger !== "submit-message" && trigger !== "regenerate-message")
		throw toIssue("trigger", 'Expected "submit-message" or "regenerate-message".');
	if (!Array.isArray(messages) || messages.length === 0) throw toIssue("messages", "Expected messages.");
	const last = toFields(messages.at(-1), `messages[${messages.length - 1}]`);
	if (last.role === "assistant") return readDecisions(chat_id, last, messages.length - 1);
	return {
		type: "run",
		chat_id,
		...readInput(messages),
		...(context !== undefined && { context: readContext(context) }),
	};
}

function readInput(messages: readonly unknown[]): RunInput {
	const all = messages.map(readMessage);
	const conversation = all.filter(({ content }) => content !== "");
	const [first] = conversation;
	if (all.at(-1)?.content === "")
		throw toIssue(`messages[${messages.length - 1}].parts`, "The last message has no text.");
	return {
		input:
			conversation.length === 1 && first !== undefined
				? (first.content as string)
				: { messages: conversation },
	};
}

function readMessage(message: unknown, index: number): ConversationMessage {
	const path = `messages[${index}]`;
	const { role, parts } = toFields(message, path);
	if (role !== "user" && role !== "assistant")
		throw toIssue(
			`${path}.role`,
			`The role ${quoteValue(role)} is not accepted. The roles are "user" and "assistant"; instructions belong to the agent.`,
		);
	return {
		role,
		content: toList(parts, `${path}.parts`)
			.map((part, n) => readPart(part, role, `${path}.parts[${n}]`))
			.join(""),
	};
}

function readPart({ type, text }: Fields, role: string, path: string): string {
	if (type === "text" && typeof text === "string") return text;
	if (role === "assistant" && typeof type === "string" && OUTPUT_PART.test(type)) return "";
	throw toIssue(
		path,
		`A part of type ${quoteValue(type)} is not accepted. Send text; put documents into a knowledge base.`,
	);
}

function readDecisions(chat_id: string, { metadata, parts }: Fields, index: number): ChatDecisionRequest {
	const path = `messages[${index}]`;
	const decisions = toList(parts, `${path}.parts`).flatMap((part, n) =>
		readDecision(part, `${path}.parts[${n}]`),
	);
	if (decisions.length === 0)
		throw toIssue(path, "The last message has to be one of the user, or to hold decisions on approvals.");
	const { run_id, seq } = toFields(metadata, `${path}.metadata`);
	if (typeof run_id !== "string" || typeof seq !== "number")
		throw toIssue(`${path}.metadata`, "Expected the `run_id` and `seq` that the message came with.");
	return { type: "decisions", chat_id, run_id, after: seq, decisions };
}

function readDecision({ state, approval }: Fields, path: string): readonly ApprovalDecision[] {
	if (state !== "approval-responded") return [];
	const { id, approved, reason } = toFields(approval, `${path}.approval`);
	if (typeof id !== "string" || typeof approved !== "boolean")
		throw toIssue(`${path}.approval`, "Expected the `id` of an approval, and `approved` as true or false.");
	return [
		{
			approval_id: id,
			decision: approved ? "approve" : "deny",
			...(typeof reason === "string" && reason !== "" && { reason }),
		},
	];
}

const readContext = (context: unknown): JsonObject => toFields(context, "context") as JsonObject;
