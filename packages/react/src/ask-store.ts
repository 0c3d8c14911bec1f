import type { AskRequest, AskStream } from "@stemma/client";
import { type AskState, endAsk, failAsk, IDLE_ASK, reduceAsk } from "./ask-state";
import { demandJson } from "./demand-json";
import { createLiveState, soon } from "./live-state";

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

/** Nothing happens before somebody asks: a render may make stores that are never used. */
export function createAskStore(initial: AskSource): AskStore {
	const live = createLiveState(IDLE_ASK, reduceAsk, () => soon(catchUp));
	let source = initial;
	let wasWatched = false;
	/** Of a question that is not sent yet: of two in one go the later counts. */
	let send: (() => AskStream) | undefined;
	let stream: AskStream | undefined;

	function catchUp(): void {
		if (!live.isWatched()) {
			// A layout effect asks before anybody watches: that waits.
			if (wasWatched) cancel();
			return;
		}
		wasWatched = true;
		const sent = send;
		send = undefined;
		if (sent !== undefined) void follow(sent);
	}

	async function follow(open: () => AskStream): Promise<void> {
		let followed: AskStream | undefined;
		try {
			followed = open();
			stream = followed;
			for await (const event of followed) {
				if (stream !== followed) return;
				live.push(event);
			}
			const answer = await followed.answer();
			if (stream === followed) end(endAsk(live.get(), answer));
		} catch (error) {
			if (stream === followed) end(failAsk(live.get(), error));
		}
	}

	function end(state: AskState): void {
		const ended = stream;
		stream = undefined;
		send = undefined;
		ended?.close();
		live.set(state);
	}

	function cancel(): void {
		if (live.get().status === "running") end({ ...live.get(), status: "cancelled" });
	}

	return {
		configure(next) {
			source = next;
		},
		get: live.get,
		subscribe: live.subscribe,
		ask(next) {
			end({ ...IDLE_ASK, status: "running" });
			send = () => source.stream(demandJson("ask", next));
			soon(catchUp);
		},
		cancel,
		reset: () => end(IDLE_ASK),
	};
}
