import type { Json } from "@stemma/core";
import type { LocalRunStream } from "@stemma/local";
import { EngineRunSegment, type RunLog, type RunSegment } from "@stemma/runs";
import type { RunObserver } from "../telemetry/service-telemetry";
import { DeferredSegment } from "./deferred-segment";
import { INTERNAL_ERROR, toRunError } from "./events/run-error";
import type { NewRun, RunClaim, RunRepository } from "./repositories/run-repository";
import type { InsertRun, StartRun } from "./run-requests";
import type { RunSlots } from "./run-slots";
import type { RunTracker } from "./run-tracker";
import type { StoredRun } from "./stored-run";
import { toLoggedEnd } from "./workspace-run";

/** Options of starting the runs of one workspace. */
export interface StartRunOptions {
	readonly repository: Pick<RunRepository, "find">;
	readonly slots: RunSlots;
	readonly log: RunLog;
	readonly tracker: RunTracker;
}

/**
 * Starts a run, or finds the one that the same request has started before: that one needs no more room. A run that cannot
 * begin ends as failed.
 */
export async function startRun(
	run: NewRun,
	request: StartRun,
	insert: InsertRun,
	{ repository, slots, log, tracker }: StartRunOptions,
): Promise<StoredRun> {
	const claim = await insertWithSlot(run, insert, slots);
	if (claim.kind === "existing") return (await repository.find(claim.runId)) ?? run;
	try {
		tracker.track({ run, segment: openSegment(run, request, slots), ...toTracked(request) });
		return run;
	} catch (error) {
		// Nobody has counted it as started.
		log.append(toLoggedEnd(run, { status: "failed", error: INTERNAL_ERROR }));
		slots.release(run.id);
		throw error;
	}
}

const toTracked = ({ resumeContext, thread }: StartRun) => ({
	resumeContext,
	...(thread !== undefined && { message: { thread_id: thread.id, message_id: thread.messageId } }),
});

/** Begins a run; one that answers a message of a thread begins when it is its turn. */
function openSegment(
	{ id: runId }: NewRun,
	{ runnable, input, context, untrustedContext, thread, follow }: StartRun,
	slots: Pick<RunSlots, "begin">,
): RunSegment {
	const open = (input: Json): RunSegment =>
		new EngineRunSegment(
			openWithFollower(follow?.(), (onEvent) =>
				runnable.stream({ runId, input, context, untrustedContext, onEvent }),
			),
		);
	if (thread === undefined) return open(input);
	return new DeferredSegment(async (signal) => {
		const input = await thread.readInput(signal);
		slots.begin(runId);
		return open(input);
	});
}

async function insertWithSlot(run: NewRun, insert: InsertRun, slots: RunSlots): Promise<RunClaim> {
	try {
		return await insert(run, (elsewhere) => slots.acquire(run, elsewhere));
	} catch (error) {
		slots.release(run.id);
		throw error;
	}
}

/** Opens the stream of a run; where that fails, there is nothing to follow. */
export function openWithFollower(
	follower: RunObserver | undefined,
	open: (onEvent: RunObserver["onEvent"] | undefined) => LocalRunStream,
): LocalRunStream {
	try {
		return open(follower?.onEvent);
	} catch (error) {
		follower?.reject(toRunError(error).code);
		throw error;
	}
}
