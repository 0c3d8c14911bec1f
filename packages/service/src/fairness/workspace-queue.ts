import {
	createFairQueue,
	createMainThreadQueue,
	type FairQueue,
	type MainThreadQueue,
} from "@stemma/protocol";
import { DomainError } from "../errors/domain-error";

/** Options of a queue that workspaces share, with the wording of its refusals. */
export interface WorkspaceQueueOptions {
	/** Pieces of work in flight at once, of all workspaces. */
	readonly concurrency: number;
	/** Pieces of work of one workspace in flight at once. Default: `concurrency`, so that nothing idles. */
	readonly concurrencyPerWorkspace?: number | undefined;
	/** Pieces of work of one workspace that may wait at once. */
	readonly maxWaiting: number;
	/** Longest time that work waits, in milliseconds; then it is refused. Default: as long as it takes. */
	readonly maxWaitMs?: number;
	/** Name of the work in errors, in the plural: "searches". */
	readonly name: string;
	/** Setting that an operator raises against refusals: `limits.waiting_searches`. */
	readonly setting?: string | undefined;
	/** `retry-after` of refusals, in seconds. Default 1. */
	readonly retryAfterSeconds?: number;
}

/** Creates a queue whose owners are workspaces. What it refuses gets 429 `too_many_waiting`. */
export function createWorkspaceQueue(options: WorkspaceQueueOptions): FairQueue {
	const {
		name,
		setting,
		maxWaiting,
		maxWaitMs = 0,
		retryAfterSeconds = 1,
		concurrencyPerWorkspace,
	} = options;
	const advice = setting === undefined ? "" : `, or ask the operator to raise ${setting}`;
	return createFairQueue({
		...options,
		concurrencyPerOwner: concurrencyPerWorkspace,
		createError: (reason) =>
			reason === "too_many"
				? tooManyWaiting(
						`${maxWaiting} ${name} of this workspace are waiting already.`,
						advice,
						retryAfterSeconds,
					)
				: tooManyWaiting(
						`Other ${name} of this workspace took longer than ${maxWaitMs / 1000} s.`,
						"",
						retryAfterSeconds,
					),
	});
}

/** Creates the turns of workspaces on the main thread, where all requests are read, checked and answered. */
export const createWorkspaceTurns = (): MainThreadQueue =>
	createMainThreadQueue({
		createError: (waiting) =>
			tooManyWaiting(
				`The service is busy, and ${waiting} requests of this workspace are waiting already.`,
				"",
				1,
			),
	});

const tooManyWaiting = (message: string, advice: string, retryAfterSeconds: number): DomainError =>
	new DomainError("too_many_waiting", message, {
		hint: `Send fewer at once and try again later${advice}.`,
		retryAfterSeconds,
	});
