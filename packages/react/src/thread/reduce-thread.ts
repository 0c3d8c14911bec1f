import type { AskEvent, WireRunEvent } from "@stemma/client";
import { identifyMessage, mergeMessages } from "./merge-messages";
import type { AnswerEnd, ThreadEvent } from "./thread-event";
import type { ChatMessage, ThreadDraft, ThreadState } from "./thread-state";
import { listAncestors, listVisible } from "./thread-tree";

/** Applies events to a thread, all at once: the maps are copied once, however many events there are. */
export const reduceThread = (state: ThreadState, events: readonly ThreadEvent[]): ThreadState =>
	events.reduce<ThreadDraft>(applyEvent, {
		...state,
		messages: new Map(state.messages),
		selected: new Map(state.selected),
	});

function applyEvent(draft: ThreadDraft, event: ThreadEvent): ThreadDraft {
	switch (event.type) {
		case "thread.opened":
			return { ...draft, status: "ready", handle: event.handle };
		case "thread.loading":
			return { ...draft, status: "loading", error: undefined };
		case "thread.failed":
			return { ...draft, status: "failed", error: event.error };
		case "thread.loaded":
			loadMessages(draft, event.messages);
			return { ...draft, status: "ready", error: undefined };
		case "message.added":
			draft.messages.set(event.message.key, event.message);
			selectMessage(draft, event.message.key);
			return draft;
		case "message.selected":
			selectMessage(draft, event.key);
			return draft;
		default:
			applyToMessage(draft, event);
			return draft;
	}
}

/** The branch that is shown stays; of a thread that was not shown before, it is the one of the newest message. */
function loadMessages(
	draft: ThreadDraft,
	messages: (ThreadEvent & { readonly type: "thread.loaded" })["messages"],
): void {
	const isFirst = draft.messages.size === 0;
	for (const { parentKey, key } of listVisible(draft)) draft.selected.set(parentKey, key);
	mergeMessages(draft, messages);
	const newest = [...draft.messages.keys()].at(-1);
	if (isFirst && newest !== undefined) selectMessage(draft, newest);
}

/** Shows the branch of a message; what follows it stays as it was chosen. */
function selectMessage(draft: ThreadDraft, key: string): void {
	for (const message of listAncestors(draft, key)) draft.selected.set(message.parentKey, message.key);
}

type MessageEvent = Extract<ThreadEvent, { readonly type: "message.changed" | `answer.${string}` }>;

function applyToMessage(draft: ThreadDraft, event: MessageEvent): void {
	const message = draft.messages.get(event.key);
	if (message === undefined) return;
	if (event.type === "answer.started") return onAnswerStarted(draft, message, event);
	draft.messages.set(event.key, { ...message, ...toChange(message, event) });
	if (event.type === "answer.ended" && event.end.id !== undefined)
		identifyMessage(draft, event.key, event.end.id);
}

function toChange(
	message: ChatMessage,
	event: Exclude<MessageEvent, { readonly type: "answer.started" }>,
): Partial<ChatMessage> {
	switch (event.type) {
		case "message.changed":
			return event.change;
		case "answer.rejoined":
			return { text: "", error: undefined, canReconnect: false };
		case "answer.event":
			return toTextChange(message, event.event);
		default:
			return toEndChange(message, event.end);
	}
}

function onAnswerStarted(
	draft: ThreadDraft,
	message: ChatMessage,
	{ id, run }: MessageEvent & { readonly type: "answer.started" },
): void {
	const { key, parentKey } = message;
	const started: ChatMessage = { ...message, status: "in_progress", run: run ?? message.run };
	draft.messages.set(key, started);
	if (id !== undefined) identifyMessage(draft, key, id);
	const question = draft.messages.get(parentKey ?? "");
	if (question?.status === "sending") draft.messages.set(question.key, { ...question, status: "completed" });
}

function toTextChange({ text }: ChatMessage, event: WireRunEvent | AskEvent): Partial<ChatMessage> {
	switch (event.type) {
		case "text.delta":
			// Text beside the answer is none of it.
			return "final" in event && !event.final ? {} : { text: text + event.text };
		case "text.reset":
			return { text: "" };
		case "run.resumed":
			return { status: "in_progress", approvals: [] };
		default:
			return {};
	}
}

function toEndChange(message: ChatMessage, end: AnswerEnd): Partial<ChatMessage> {
	const { status, text = message.text, citations, receipt, approvals, answer, error } = end;
	return {
		status: status === "paused" ? "waiting" : status,
		...{ text, citations, receipt, approvals, answer, error },
		canReconnect: false,
	};
}
