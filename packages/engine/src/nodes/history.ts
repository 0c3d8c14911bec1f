import type { ChatMessage, JsonObject } from "@stemma/core";
import { toDataText } from "./data-message";

/**
 * Messages, calls and results of the nodes before a handoff. It grows at its end alone, and shares its start with the
 * histories before it.
 */
export interface History {
	readonly earlier: History | undefined;
	/** Entries after those of `earlier`. */
	readonly entries: readonly JsonObject[];
	/** Text of all entries as a model is shown it: a JSON list without its brackets. Concatenation copies nothing of it. */
	readonly text: string;
}

/** Adds entries to a history. Each is written by itself, so that a handoff costs what it adds. */
export function extendHistory(earlier: History | undefined, entries: readonly JsonObject[]): History {
	const own = entries.map(toDataText).join(",");
	const before = earlier === undefined || earlier.text === "" ? "" : `${earlier.text},`;
	return { earlier, entries, text: before + own };
}

/** All entries, the first ones first. */
export function listEntries(history: History): JsonObject[] {
	const parts: (readonly JsonObject[])[] = [];
	for (let part: History | undefined = history; part !== undefined; part = part.earlier)
		parts.push(part.entries);
	return parts.reverse().flat();
}

/** A message of another node's conversation, as data. */
export function toHistoryEntry(node: string, message: ChatMessage): JsonObject {
	if (message.role === "user") return { node, user: message.content };
	if (message.role === "tool")
		return { node, result: message.content, tool: message.name, ...(message.isError ? { error: true } : {}) };
	const calls = (message.toolCalls ?? []).map(({ name, arguments: json }) => ({ name, arguments: json }));
	return {
		node,
		...(message.content === "" ? {} : { text: message.content }),
		...(calls.length === 0 ? {} : { calls }),
	};
}
