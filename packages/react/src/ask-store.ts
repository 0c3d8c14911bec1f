import type { AskRequest, AskStream } from "@stemma/client";
import { type AskState, endAsk, failAsk, IDLE_ASK, reduceAsk } from "./ask-state";
import { assertJson } from "./assert-json";
import { createThrottledStore, queueSafely } from "./throttled-store";

/** Asks questions: `stemma.ask` or `ask(client)`. */
export interface AskSource {
	stream(request: AskRequest): AskStream;
}

/** One place of a page that shows answers, one at a time. */
export interface AskStore {
	configure(source: AskSource): void;
	get(): AskState;
	subscribe(listener: () => void): () => void;
	ask(request: AskRequest): void;
	cancel(): void;
	reset(): void;
}

/**
 * Creates a store that does nothing until a question is asked, because a render may create stores that are never used.
 */
export function createAskStore(initial: AskSource): AskStore {
	const store = createThrottledStore(IDLE_ASK, reduceAsk, () => queueSafely(sync));
	let source = initial;
	let hadSubscribers = false;
	/**
	 * Opens the stream of a question that is not sent yet. Of two questions in the same tick, the later one is sent.
	 */
	let send: (() => AskStream) | undefined;
	let stream: AskStream | undefined;

	function sync(): void {
		if (!store.hasSubscribers()) {
			// A layout effect asks before anybody watches: that waits.
			if (hadSubscribers) cancel();
			return;
		}
		hadSubscribers = true;
		const openStream = send;
		send = undefined;
		if (openStream !== undefined) void follow(openStream);
	}

	async function follow(open: () => AskStream): Promise<void> {
		let current: AskStream | undefined;
		try {
			current = open();
			stream = current;
			for await (const event of current) {
				if (stream !== current) return;
				store.push(event);
			}
			const answer = await current.answer();
			if (stream === current) end(endAsk(store.get(), answer));
		} catch (error) {
			if (stream === current) end(failAsk(store.get(), error));
		}
	}

	function end(state: AskState): void {
		const ended = stream;
		stream = undefined;
		send = undefined;
		ended?.close();
		store.set(state);
	}

	function cancel(): void {
		if (store.get().status === "running") end({ ...store.get(), status: "cancelled" });
	}

	return {
		configure(next) {
			source = next;
		},
		get: store.get,
		subscribe: store.subscribe,
		ask(next) {
			end({ ...IDLE_ASK, status: "running" });
			send = () => source.stream(assertJson("ask", next));
			queueSafely(sync);
		},
		cancel,
		reset: () => end(IDLE_ASK),
	};
}
