import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { whenOnline } from "../when-online";
import { createThreadActions, type ThreadActions } from "./thread-actions";
import type { ThreadService, ThreadTarget } from "./thread-service";
import { type ChatMessage, isFinal, type ThreadHandle, type ThreadState } from "./thread-state";
import { ThreadStore } from "./thread-store";
import { listVisible } from "./thread-tree";

/** Options of {@link useThread}: an agent, or knowledge bases; and a thread that is there already. */
export type UseThreadOptions = ThreadTarget & {
	/**
	 * A thread to show: at the first render, and whenever it names another one than before; `null` for a new one, which is
	 * created when the first message is sent. Answers that are being written go on in a thread that is no longer shown.
	 */
	readonly thread?: ThreadHandle | null | undefined;
	/** Called once for a thread that was created: the place to keep its handle for `thread`. */
	readonly onThread?: ((handle: ThreadHandle) => void) | undefined;
};

/** Message of the branch that is shown. */
export interface VisibleMessage extends ChatMessage {
	/** Keys of the messages that have its place in other branches, itself among them, oldest first: for `select`. */
	readonly versions: readonly string[];
}

/** Result of {@link useThread}. The functions stay the same as long as the thread does. */
export interface UseThreadResult extends Pick<ThreadState, "status" | "error" | "handle">, ThreadActions {
	/** The branch that is shown, first message first. */
	readonly messages: readonly VisibleMessage[];
	/** An answer of this branch is being written, or waits: `stop` stops it. */
	readonly isAnswering: boolean;
}

/** Store that is shown, with the thread that it was chosen for. */
interface StoreSelection {
	readonly threadId: string | undefined;
	readonly store: ThreadStore;
	readonly actions: ThreadActions;
}

/**
 * Shows a thread and continues it: sends messages, and renders answers as they are written, at most once in 16 ms. What is
 * sent is shown at once. An answer that is being written when the page is loaded again is rejoined.
 *
 * Unmounting leaves the runs of agents running, and ends answers from knowledge bases. On a server, `idle` or `loading`.
 *
 * @param service - a `Stemma`, or `{ threads, runs, agents }` of a client (with `ask` in place of `agents` for knowledge bases).
 */
export function useThread(service: ThreadService, options: UseThreadOptions): UseThreadResult {
	const { thread, onThread, ...target } = options;
	const storeOptions = { service, target, onThread };
	const createSelection = (): StoreSelection => {
		const store = new ThreadStore(storeOptions, thread ?? undefined);
		return { threadId: thread?.thread_id, store, actions: createThreadActions(store) };
	};
	const [selection, setSelection] = useState(createSelection);
	const { store, actions } = selection;
	if (selection.threadId !== thread?.thread_id) {
		const isShown = thread != null && store.get().handle?.thread_id === thread.thread_id;
		setSelection(isShown ? { ...selection, threadId: thread.thread_id } : createSelection());
	}
	useEffect(() => store.configure(storeOptions));
	useEffect(() => whenOnline(actions.reload), [actions]);
	const state = useSyncExternalStore(store.subscribe, store.get, store.getFirst);
	const messages = useMemo(() => toVisibleMessages(state), [state]);
	const { status, error, handle } = state;
	const isAnswering = messages.some((message) => !isFinal(message.status));
	return { status, error, handle, messages, isAnswering, ...actions };
}

function toVisibleMessages(state: ThreadState): readonly VisibleMessage[] {
	const versions = new Map<string | null, string[]>();
	for (const { key, parentKey } of state.messages.values())
		versions.set(parentKey, [...(versions.get(parentKey) ?? []), key]);
	return listVisible(state).map((message) => ({
		...message,
		versions: versions.get(message.parentKey) ?? [],
	}));
}
