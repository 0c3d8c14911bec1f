import { type RunEvent, RunFailedError, type RunResult, type RunStream } from "@stemma/core";
import type { Engine, EngineRunOptions } from "@stemma/engine";
import { createEventQueue } from "./event-queue";

/** Starts a run and gives its events to one reader; whether anyone reads makes no difference to the run. */
export function createRunStream(engine: Engine, options: Omit<EngineRunOptions, "onEvent">): RunStream {
	const { signal } = options;
	const queue = createEventQueue<RunEvent>();
	const canceller = new AbortController();
	const cancel = (): void => canceller.abort();
	if (signal?.aborted === true) cancel();
	else signal?.addEventListener("abort", cancel);
	const ended = engine.run({ ...options, signal: canceller.signal, onEvent: queue.push });
	ended.then(queue.end, queue.fail).finally(() => signal?.removeEventListener("abort", cancel));

	async function result(): Promise<RunResult> {
		const outcome = await ended;
		if (outcome.status === "failed") throw new RunFailedError(outcome);
		return outcome;
	}

	return {
		result,
		async text() {
			const { output } = await result();
			return typeof output === "string" ? output : JSON.stringify(output);
		},
		cancel,
		close: queue.close,
		[Symbol.asyncIterator]: () => ({
			next: queue.next,
			async return() {
				queue.close();
				return { done: true, value: undefined };
			},
		}),
	};
}
