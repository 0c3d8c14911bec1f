import type { AskRequest } from "@stemma/client";
import { useEffect, useState, useSyncExternalStore } from "react";
import { type AskState, IDLE_ASK } from "./ask-state";
import { type AskSource, AskStore } from "./ask-store";

/** Result of {@link useAsk}. The functions are the same at every render. */
export interface UseAskResult extends AskState {
	/** Asks, and shows the answer in place of the one before, which ends. Never throws: look at `error`. */
	readonly ask: (request: AskRequest) => void;
	/** Ends the answer, and what it costs; the text so far stays. */
	readonly cancel: () => void;
	/** Back to `idle`; an answer that is being written ends. */
	readonly reset: () => void;
}

/**
 * Answers questions from documents and shows the answer as it is written: renders at most once in 16 ms, however fast
 * the text comes.
 *
 * Unmounting ends the answer, and what it costs. On a server, `idle`.
 *
 * @param ask - `stemma.ask` or `ask(client)`.
 */
export function useAsk(ask: AskSource): UseAskResult {
	const [store] = useState(() => new AskStore(ask));
	useEffect(() => store.configure(ask), [store, ask]);
	const state = useSyncExternalStore(store.subscribe, store.get, getServerState);
	return { ...state, ask: store.ask, cancel: store.cancel, reset: store.reset };
}

const getServerState = (): AskState => IDLE_ASK;
