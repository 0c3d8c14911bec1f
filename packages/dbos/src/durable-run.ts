import { DBOS, Error as DBOSErrors, type WorkflowHandle } from "@dbos-inc/dbos-sdk";
import { type Approval, type ApprovalDecision, ConfigurationError, type RunResult } from "@stemma/core";
import { clock } from "@stemma/core/internal";
import type { EnginePorts } from "@stemma/engine";
import { APPROVALS, DECISIONS } from "./journal/dbos-journal";
import { createStoredJournal } from "./journal/stored-journal";
import type { RunDefinition } from "./run/run-definition";
import { InterruptedRun, runGraph } from "./run/run-graph";
import type { RunEventHandler, RunWatchers } from "./run-watchers";

/** One run, by its id: also in processes that do not execute it. */
export interface DurableRun {
	/** Id of the run, and of its workflow in DBOS. */
	readonly runId: string;
	/**
	 * Waits for the end of the run, through pauses and restarts: completed, failed or cancelled.
	 *
	 * @throws the error of the workflow, where DBOS ended it: for stored steps of another version of the program, or too many
	 * restarts.
	 */
	result(): Promise<RunResult>;
	/** Lists the approvals that the run waits for. Empty while it does not wait. */
	approvals(): Promise<readonly Approval[]>;
	/**
	 * Sends decisions on approvals. They are stored, and count from now, whenever the run receives them.
	 *
	 * @throws ConfigurationError `approval_not_found` for an approval that the run does not wait for; nothing was sent then.
	 */
	decide(...decisions: readonly ApprovalDecision[]): Promise<void>;
	/**
	 * Cancels the run; `DBOS.cancelWorkflow` does the same. The process that executes it aborts what is in flight within a
	 * second or so. Nothing happens to a run that has ended.
	 */
	cancel(): Promise<void>;
	/**
	 * Receives the events of the run while this process executes it: those so far at once, from the first one, then each as it
	 * happens, text as it is written. After a restart the events come once more from the first one, with the text of stored
	 * replies in one piece. A listener that throws is removed.
	 *
	 * @returns what stops it.
	 */
	watch(listener: RunEventHandler): () => void;
}

/** Parts of an agent that its runs need. */
export interface RunContext {
	readonly ports: EnginePorts;
	readonly watchers: RunWatchers;
}

/** @param handle - of a run that this process has started. */
export function createDurableRun(
	runId: string,
	{ ports, watchers }: RunContext,
	handle?: WorkflowHandle<RunResult>,
): DurableRun {
	const approvals = async (): Promise<readonly Approval[]> =>
		(await DBOS.getEvent<readonly Approval[]>(runId, APPROVALS, { timeoutSeconds: 0 })) ?? [];
	return {
		runId,
		async result() {
			try {
				return await (handle ?? DBOS.retrieveWorkflow<RunResult>(runId)).getResult();
			} catch (error) {
				if (!isCancelled(error)) throw error;
				return readCancelled(runId, ports);
			}
		},
		approvals,
		async decide(...decisions) {
			const open = await approvals();
			const unknown = decisions.find(({ approval_id }) => !open.some(({ id }) => id === approval_id));
			if (unknown !== undefined) throw approvalNotFound(unknown.approval_id);
			const decided_at = new Date(clock.now()).toISOString();
			await DBOS.send(
				runId,
				decisions.map((decision) => ({ decided_at, ...decision })),
				DECISIONS,
			);
		},
		cancel: () => DBOS.cancelWorkflow(runId),
		watch: (listener) => watchers.add(runId, listener),
	};
}

const isCancelled = (error: unknown): boolean =>
	error instanceof DBOSErrors.DBOSWorkflowCancelledError ||
	error instanceof DBOSErrors.DBOSAwaitedWorkflowCancelledError;

/** Result of a run that was cancelled, made of its stored steps: with the receipt of all calls, as far as they are known. */
async function readCancelled(runId: string, ports: EnginePorts): Promise<RunResult> {
	const [status, steps = []] = await Promise.all([
		DBOS.getWorkflowStatus(runId),
		DBOS.listWorkflowSteps(runId),
	]);
	// The workflow was started with it.
	const [definition] = (status?.input ?? []) as [RunDefinition];
	const journal = createStoredJournal(steps);
	try {
		return await runGraph({ runId, definition, ports, journal, onEvent: () => undefined });
	} catch (error) {
		if (error instanceof InterruptedRun && error.result !== undefined) return error.result;
		throw error;
	}
}

const approvalNotFound = (id: string): ConfigurationError =>
	new ConfigurationError(`The run does not wait for the approval "${id}".`, {
		code: "approval_not_found",
		hint: "`approvals()` lists those that it waits for.",
	});
