import type { Answer, AskEvent, AskRequest, AskStream } from "@stemma/client";
import { type AskState, endAsk, failAsk, IDLE_ASK, reduceAsk } from "./ask-state";
import { assertJson } from "./assert-json";
import { StreamReader } from "./stream-reader";
import { createThrottledStore, queueSafely } from "./throttled-store";

/** Asks questions: `stemma.ask` or `ask(client)`. */
export interface AskSource {
	stream(request: AskRequest): AskStream;
}

/**
 * One place of a page that shows answers, one at a time. It does nothing until a question is asked, because a render may
 * create stores that are never used.
 */
export class AskStore {
	readonly #store = createThrottledStore(IDLE_ASK, reduceAsk, () => queueSafely(() => this.#sync()));
	readonly #reader = new StreamReader<AskEvent, AskStream, Answer>({
		onEvent: (event) => this.#store.push(event),
		getResult: (stream) => stream.answer(),
		onResult: (answer) => this.#end(endAsk(this.get(), answer)),
		onError: (error) => this.#end(failAsk(this.get(), error)),
	});
	#source: AskSource;
	#stream: AskStream | undefined;
	#hadSubscribers = false;

	constructor(source: AskSource) {
		this.#source = source;
	}

	// These are handed on alone.
	readonly get = this.#store.get;
	readonly subscribe = this.#store.subscribe;

	readonly configure = (source: AskSource): void => {
		this.#source = source;
	};

	readonly ask = (request: AskRequest): void => {
		this.#end({ ...IDLE_ASK, status: "running" });
		this.#reader.queued = () => {
			this.#stream = this.#source.stream(assertJson("ask", request));
			return this.#stream;
		};
		queueSafely(() => this.#sync());
	};

	readonly cancel = (): void => {
		if (this.get().status === "running") this.#end({ ...this.get(), status: "cancelled" });
	};

	readonly reset = (): void => this.#end(IDLE_ASK);

	#sync(): void {
		if (this.#store.hasSubscribers()) {
			this.#hadSubscribers = true;
			this.#reader.readQueued();
			// A layout effect asks before anybody watches: that waits.
		} else if (this.#hadSubscribers) this.cancel();
	}

	#end(state: AskState): void {
		const ended = this.#stream;
		this.#stream = undefined;
		this.#reader.queued = undefined;
		this.#reader.stop();
		ended?.close();
		this.#store.set(state);
	}
}
