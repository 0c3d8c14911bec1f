import type { ChatMessage, ThreadState } from "./thread-state";

type Tree = Pick<ThreadState, "messages" | "selected">;

/** Messages that follow a message, oldest first; those that begin the conversation for `null`. */
export const listChildren = ({ messages }: Tree, parentKey: string | null): ChatMessage[] =>
	[...messages.values()].filter((message) => message.parentKey === parentKey);

/** The branch that is shown, first message first: at each message the child that was chosen, else the newest. */
export function listVisible({ messages, selected }: Tree): ChatMessage[] {
	const newest = new Map<string | null, ChatMessage>();
	for (const message of messages.values()) newest.set(message.parentKey, message);
	const findChild = (parentKey: string | null): ChatMessage | undefined => {
		const chosen = messages.get(selected.get(parentKey) ?? "");
		return chosen?.parentKey === parentKey ? chosen : newest.get(parentKey);
	};
	const branch: ChatMessage[] = [];
	for (let next = findChild(null); next !== undefined; next = findChild(next.key)) branch.push(next);
	return branch;
}

/** A message and those before it, first one first. */
export function listAncestors({ messages }: Tree, key: string | null): ChatMessage[] {
	const ancestors: ChatMessage[] = [];
	for (let next = messages.get(key ?? ""); next !== undefined; next = messages.get(next.parentKey ?? ""))
		ancestors.unshift(next);
	return ancestors;
}
