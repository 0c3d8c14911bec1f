import {
	type ApprovalDecision,
	type RunEvent,
	RunFailedError,
	type RunResult,
	type RunStream,
} from "@stemma/core";
import type { Engine, EngineResumeOptions, EngineRun, SerializedRun } from "@stemma/engine";
import { type AskForApproval, followApprovals } from "./approvals";
import { createEventQueue } from "./event-queue";

/** A run in this process: it can be saved, and decided on. */
export interface LocalRunStream extends RunStream {
	/**
	 * The run as it stands, to be continued by `LocalAgent.resume`: at any moment, and once it has paused.
	 *
	 * @throws ConfigurationError `run_ended` for a run that has completed, failed or was cancelled.
	 */
	serialize(): SerializedRun;
	/**
	 * Decides on an approval that is open while the run still goes on; a run that has paused takes it in `resume`.
	 *
	 * @throws ConfigurationError `approval_not_found` for one that is not open.
	 */
	decide(decision: ApprovalDecision): void;
	/**
	 * Hands every event to a listener instead of a reader: those so far before it returns, the others as they happen. If the
	 * listener throws, the run ends, and `result` rejects with that.
	 */
	listen(onEvent: (event: RunEvent) => void): void;
}

export interface RunStreamOptions {
	readonly engine: Engine;
	readonly signal: AbortSignal | undefined;
	readonly onApproval: AskForApproval | undefined;
	/** Gets each event before the reader does. */
	readonly onEvent: ((event: RunEvent) => void) | undefined;
}

/** Starts a run and gives its events to one reader; whether anyone reads makes no difference to the run. */
export function createRunStream(
	start: (observer: Pick<EngineResumeOptions, "onEvent">) => EngineRun,
	{ engine, signal, onApproval, onEvent }: RunStreamOptions,
): LocalRunStream {
	const queue = createEventQueue<RunEvent>();
	const emit = (event: RunEvent): void => {
		onEvent?.(event);
		queue.push(event);
	};
	const observer = { onEvent: onEvent === undefined ? queue.push : emit };
	const {
		current,
		cancel,
		result: settledResult,
	} = followApprovals(
		start(observer),
		(saved, decisions) => engine.resume(saved, { ...observer, decisions }),
		{ onApproval, signal },
	);
	settledResult.then(queue.end, queue.fail);

	async function result(): Promise<RunResult> {
		const outcome = await settledResult;
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
		serialize: () => current().serialize(),
		decide: (decision) => current().decide(decision),
		listen: queue.subscribe,
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
