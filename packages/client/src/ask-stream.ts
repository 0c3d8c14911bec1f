import { type WithRequestId, withRequestId } from "./call-options";
import type { OpenAnswer, ServiceRequest, StemmaClient } from "./client";
import { createDeferred } from "./deferred";
import { StreamError } from "./errors";
import { createEventQueue } from "./event-queue";
import { readTypedEvents } from "./event-source";
import { abortReason } from "./platform";
import type { Answer, AskEvent } from "./types/ask";

/**
 * An answer that is being written. Read its events once with `for await`; leaving the loop, `close` and an aborted signal
 * end it, and what it costs. The last event is `ask.completed` or `ask.failed`.
 */
export interface AskStream extends AsyncIterable<AskEvent> {
	/** @throws StreamError with the service's code when answering failed, or when the connection broke. */
	answer(): Promise<WithRequestId<Answer>>;
	/** The text of the answer alone. Fails as `answer` does. */
	text(): Promise<string>;
	close(): void;
}

export function createAskStream(client: StemmaClient, request: ServiceRequest): AskStream {
	const { signal } = request.options ?? {};
	const queue = createEventQueue<AskEvent>();
	const outcome = createDeferred<WithRequestId<Answer>>();
	const controller = new AbortController();
	const onAbort = (): void => {
		if (signal !== undefined) stop(abortReason(signal));
	};

	function stop(error: unknown): void {
		queue.fail(error);
		outcome.reject(error);
		controller.abort();
	}

	function close(): void {
		queue.close();
		stop(new StreamError("The stream was closed before the answer was whole.", { code: "stream_closed" }));
	}

	async function follow(): Promise<void> {
		const options = { ...request.options, signal: controller.signal };
		const answer = await client.open({ ...request, accept: "text/event-stream", options });
		if (answer.isJson) return end(await answer.json<Answer>());
		for await (const event of readTypedEvents<AskEvent>(answer)) {
			queue.push(event);
			if (event.type === "ask.completed") return end(withRequestId(event.answer, answer.requestId));
			if (event.type === "ask.failed") return failWith(event.error, answer);
		}
		throw new StreamError("The answer ended before it was whole.", {
			...CUT_OFF,
			requestId: answer.requestId,
		});
	}

	function end(answer: WithRequestId<Answer>): void {
		queue.end();
		outcome.resolve(answer);
	}

	function failWith(
		{ code, message, hint }: { code: string; message: string; hint?: string },
		answer: OpenAnswer,
	) {
		queue.end();
		outcome.reject(new StreamError(message, { code, hint, requestId: answer.requestId }));
	}

	if (signal?.aborted === true) onAbort();
	else {
		signal?.addEventListener("abort", onAbort);
		void follow()
			.catch(stop)
			.finally(() => signal?.removeEventListener("abort", onAbort));
	}

	return {
		answer: () => outcome.promise,
		text: async () => (await outcome.promise).answer,
		close,
		[Symbol.asyncIterator]: () => ({
			next: queue.next,
			async return() {
				close();
				return { done: true, value: undefined };
			},
		}),
	};
}

const CUT_OFF = { code: "stream_cut_off", hint: "Ask again; an answer is not rejoined." };
