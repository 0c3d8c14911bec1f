import type { ChatToolCall } from "@stemma/core";
import { findCitationMarks } from "../replies/citation-marks";
import type { ResponderReply } from "../replies/reply";
import type { ResponseItem } from "./response-request";

/** Options of the items of one reply. */
export interface OutputOptions {
	/** `resp_…` */
	readonly id: string;
	/** True where the caller may see how the model reasons, and what its vendor wants back. */
	readonly canSeeReceipt: boolean;
	/** Number of messages that were streamed and turned out not to be the answer. Default 0. */
	readonly drafts?: number;
}

type ItemKind = "msg" | "fc" | "rs";

/** Id of the item of a response: its response can be found by it. */
export const toItemId = (kind: ItemKind, responseId: string, index: number): string =>
	`${kind}_${responseId.slice("resp_".length)}_${index}`;

/** Parses the id of an item; `undefined` for one that no response has. */
export function parseItemId(
	id: string,
): { readonly kind: ItemKind; readonly responseId: string; readonly index: number } | undefined {
	const [, kind, response, index] = /^(msg|fc|rs)_([0-9a-z]{1,40})_(\d{1,5})$/.exec(id) ?? [];
	if (response === undefined) return undefined;
	return { kind: kind as ItemKind, responseId: `resp_${response}`, index: Number(index) };
}

/** The output of a response: reasoning, a message, and calls. */
export function toOutputItems(
	reply: ResponderReply,
	{ id, canSeeReceipt, drafts = 0 }: OutputOptions,
): object[] {
	const { text, reasoning, toolCalls, finishReason } = reply;
	const isCut = finishReason === "length" || finishReason === "filtered";
	return [
		...(canSeeReceipt && reasoning ? [toReasoningItem(toItemId("rs", id, 0), reasoning, "completed")] : []),
		...(text !== "" || toolCalls.length === 0
			? [toMessageItem(toItemId("msg", id, drafts), isCut ? "incomplete" : "completed", [toTextPart(reply)])]
			: []),
		...toolCalls.map((call, index) => toCallItem(toItemId("fc", id, index), call, canSeeReceipt)),
	];
}

export const toReasoningItem = (id: string, text: string, status: string): object => ({
	id,
	type: "reasoning",
	status,
	summary: [],
	content: text === "" ? [] : [{ type: "reasoning_text", text }],
});

export const toMessageItem = (id: string, status: string, content: readonly object[]): object => ({
	id,
	type: "message",
	status,
	role: "assistant",
	content,
});

/** The text of a reply, with the citations of documents that have an address. */
export const toTextPart = (reply: Pick<ResponderReply, "text" | "answer">): object => ({
	type: "output_text",
	text: reply.text,
	annotations: toAnnotations(reply),
	logprobs: [],
});

export const toAnnotations = ({ text, answer }: Pick<ResponderReply, "text" | "answer">): readonly object[] =>
	findCitationMarks(text, answer?.citations ?? []).map(({ citation, url, start, end }) => ({
		type: "url_citation",
		start_index: start,
		end_index: end,
		title: citation.title,
		url,
	}));

export const toCallItem = (
	id: string,
	{ id: call_id, name, arguments: text, providerMetadata }: ChatToolCall,
	canSeeReceipt: boolean,
): object => ({
	id,
	type: "function_call",
	status: "completed",
	call_id,
	name,
	arguments: text,
	...(providerMetadata !== undefined && canSeeReceipt && { extra_content: { stemma: providerMetadata } }),
});

/** The items of a reply, as the next request gets them. */
export const toConversationItems = ({ text, toolCalls }: ResponderReply): readonly ResponseItem[] => [
	...(text === "" ? [] : [{ type: "message" as const, role: "assistant" as const, content: text }]),
	...toolCalls.map(toCallInput),
];

type CallItem = Extract<ResponseItem, { type: "function_call" }>;

const toCallInput = ({ id: call_id, name, arguments: text, providerMetadata }: ChatToolCall): CallItem => ({
	type: "function_call",
	call_id,
	name,
	arguments: text,
	// JSON that is only read: the schema's type lets it be changed.
	...(providerMetadata !== undefined && {
		extra_content: { stemma: providerMetadata } as CallItem["extra_content"],
	}),
});

/** Finds the item of a reply that an id names. */
export function findOutputItem(
	reply: ResponderReply,
	kind: ItemKind,
	index: number,
): ResponseItem | undefined {
	const { text } = reply;
	if (kind === "rs") return { type: "reasoning" };
	if (kind === "msg") return text === "" ? undefined : { type: "message", role: "assistant", content: text };
	const call = reply.toolCalls[index];
	return call && toCallInput(call);
}
