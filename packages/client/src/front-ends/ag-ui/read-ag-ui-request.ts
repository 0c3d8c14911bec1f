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
import type { AgUiOptions } from "./ag-ui-encoder";
import type { AgUiMessage } from "./ag-ui-event";

/** Request of an AG-UI client for a run. `options` are those of the encoder. */
export type AgUiRequest = AgUiRunRequest | AgUiResumeRequest;

/** Request to run an agent. */
export interface AgUiRunRequest extends RunInput {
	readonly type: "run";
	readonly options: AgUiOptions;
}

/** Request to resume a run that has paused. */
export interface AgUiResumeRequest {
	readonly type: "decisions";
	readonly run_id: string;
	readonly decisions: readonly ApprovalDecision[];
	readonly options: AgUiOptions;
}

/** Roles of messages that runs have sent, and that are no input of the next one. */
const OUTPUT_ROLES: readonly unknown[] = ["tool", "reasoning", "activity"];

/**
 * Reads a `RunAgentInput` of AG-UI 1.0. The last message of the user is the input, those before it are the history, and
 * `context` becomes the context of the run, by description. Tools of the page are refused; `forwardedProps` are ignored.
 */
export const readAgUiRequest = (body: unknown): AgUiRequest | RequestIssue =>
	readRequest(() => parseRequest(body));

function parseRequest(body: unknown): AgUiRequest {
	const fields = toFields(body, "", "The body has to be a JSON object.");
	const state = fields.state ?? undefined;
	if (state !== undefined && !isObject(state)) throw toIssue("state", "Expected an object.");
	if (toList(fields.tools ?? [], "tools").length > 0)
		throw toIssue("tools", "Tools of the page cannot be called. Give the agent tools of its own.");
	const messages = toList(fields.messages, "messages");
	const options: AgUiOptions = {
		threadId: toId(fields.threadId, "threadId"),
		runId: toId(fields.runId, "runId"),
		// They are sent back as they came.
		messages: messages as unknown as readonly AgUiMessage[],
		...(state !== undefined && { state }),
	};
	const entries = toList(fields.resume ?? [], "resume");
	if (entries.length > 0) return readResume(entries, options);
	return { type: "run", options, ...readInput(messages, fields.context) };
}

const isObject = (value: unknown): value is JsonObject =>
	typeof value === "object" && value !== null && !Array.isArray(value);

function readInput(messages: readonly Fields[], context: unknown): RunInput {
	const all = messages.flatMap(readMessage);
	const conversation = all.filter(({ content }) => content !== "");
	if (conversation.at(-1)?.role !== "user" || all.at(-1)?.content === "")
		throw toIssue("messages", "The last message has to be one of the user, with text.");
	const entries = toList(context ?? [], "context");
	const [first] = conversation;
	return {
		input:
			conversation.length === 1 && first !== undefined
				? (first.content as string)
				: { messages: conversation },
		...(entries.length > 0 && { context: joinContext(entries.map(readContext)) }),
	};
}

function readMessage({ role, content }: Fields, index: number): readonly ConversationMessage[] {
	const path = `messages[${index}]`;
	if (OUTPUT_ROLES.includes(role)) return [];
	if (role !== "user" && role !== "assistant")
		throw toIssue(
			`${path}.role`,
			`The role ${quoteValue(role)} is not accepted; instructions belong to the agent.`,
		);
	if (typeof content === "string") return [{ role, content }];
	if (role === "assistant" && (content ?? undefined) === undefined) return [];
	const parts = toList(content, `${path}.content`);
	return [{ role, content: parts.map((part, n) => readPart(part, `${path}.content[${n}]`)).join("") }];
}

function readPart({ type, text }: Fields, path: string): string {
	if (type === "text" && typeof text === "string") return text;
	throw toIssue(
		path,
		`A part of type ${quoteValue(type)} is not accepted. Send text; put documents into a knowledge base.`,
	);
}

function readContext({ description, value }: Fields, index: number): readonly [string, string] {
	if (typeof description === "string" && typeof value === "string") return [description, value];
	throw toIssue(`context[${index}]`, "Expected `description` and `value` as text.");
}

/** Values by description; those of one description become lines of one text. */
function joinContext(entries: readonly (readonly [string, string])[]): JsonObject {
	const values = new Map<string, string>();
	for (const [description, value] of entries) {
		const before = values.get(description);
		values.set(description, before === undefined ? value : `${before}\n${value}`);
	}
	return Object.fromEntries(values);
}

function readResume(entries: readonly Fields[], options: AgUiOptions): AgUiResumeRequest {
	const read = entries.map(readEntry);
	const [first] = read;
	if (first === undefined || read.some(({ run_id, seq }) => run_id !== first.run_id || seq !== first.seq))
		throw toIssue("resume", "All entries have to answer interrupts of one run.");
	return {
		type: "decisions",
		run_id: first.run_id,
		decisions: read.map(({ decision }) => decision),
		options: { ...options, after: first.seq },
	};
}

const INTERRUPT_ID = /^(run_\w+)\.(\d+)\.(\w+)$/;

function readEntry({ interruptId, status, payload }: Fields, index: number) {
	const path = `resume[${index}]`;
	const [, run_id, seq, approval_id] =
		(typeof interruptId === "string" && INTERRUPT_ID.exec(interruptId)) || [];
	if (run_id === undefined || approval_id === undefined)
		throw toIssue(`${path}.interruptId`, "Expected the id of an interrupt.");
	const decision: ApprovalDecision =
		status === "cancelled"
			? { approval_id, decision: "deny" }
			: readDecision(approval_id, payload, `${path}.payload`);
	return { run_id, seq: Number(seq), decision };
}

function readDecision(approval_id: string, payload: unknown, path: string): ApprovalDecision {
	const { approved, reason } = toFields(payload, path);
	if (typeof approved !== "boolean") throw toIssue(`${path}.approved`, "Expected true or false.");
	return {
		approval_id,
		decision: approved ? "approve" : "deny",
		...(typeof reason === "string" && reason !== "" && { reason }),
	};
}
