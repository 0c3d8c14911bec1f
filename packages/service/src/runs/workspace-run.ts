import type { ApprovalDecision, RunError, RunEvent, RunPausedEvent } from "@stemma/core";
import { ConfigurationError } from "@stemma/core/errors";
import { clock } from "@stemma/core/internal";
import type { LocalRunStream } from "@stemma/local";
import {
	type ActiveRun,
	createTerminalEvent,
	type LoggedApproval,
	type LoggedEvent,
	type LoggedPause,
	toEventRecord,
} from "@stemma/runs";
import { INTERNAL_ERROR, type TerminalEntry, toTerminalEntry } from "./events/terminal-entry";
import type { ResumeContext } from "./resume-context";
import type { RunRow } from "./run-rows";

/** Options of a run in progress: what it was started or resumed with, and who is called with its events. */
export interface WorkspaceRunOptions {
	/** Row of the run from when it started or was resumed. */
	readonly row: RunRow;
	readonly resumeContext: ResumeContext;
	append(event: LoggedEvent): void;
	/** Gets an end in place of the engine's, which followers of its events never see. */
	end(event: TerminalEntry): void;
	onFailure(error: unknown): void;
	/** Called once the last event was handed over: the run has ended or paused. */
	onEnd(): Promise<void>;
}

/** A run of a workspace in progress in this process: hands each event over as the log keeps it. */
export class WorkspaceRun implements ActiveRun {
	readonly isBackground: boolean;
	readonly #stream: LocalRunStream;
	readonly #options: WorkspaceRunOptions;
	readonly #settled: Promise<void>;

	constructor(stream: LocalRunStream, options: WorkspaceRunOptions) {
		// Its failure is in its last event.
		stream.result().catch(() => undefined);
		this.isBackground = options.row.background === 1;
		this.#stream = stream;
		this.#options = options;
		this.#settled = this.#follow().catch(options.onFailure).then(options.onEnd);
	}

	settled(): Promise<void> {
		return this.#settled;
	}

	cancel(): void {
		this.#stream.cancel();
	}

	/** Decides on an approval. Returns false where it is not open, or not any more: the run may just have paused. */
	decide(decision: ApprovalDecision): boolean {
		try {
			this.#stream.decide(decision);
			return true;
		} catch (error) {
			if (ConfigurationError.is(error)) return false;
			throw error;
		}
	}

	/** Hands over all events; a run that breaks without a last one gets one, so that nobody waits for it for ever. */
	async #follow(): Promise<void> {
		const { row, append, end } = this.#options;
		let lastSeq = row.last_seq;
		try {
			for await (const event of this.#stream) {
				if (event.type !== "run.paused") append(toLoggedEvent(event));
				// Another run needs it, and waits for nobody.
				else if (row.within !== null) end(endInsteadOfPause(event));
				else append(this.#toPausedEvent(event));
				lastSeq = event.seq;
			}
		} catch (error) {
			const failed = { status: "failed", error: INTERNAL_ERROR } as const;
			end(toTerminalEntry(createTerminalEvent({ runId: row.id, lastSeq }, failed, clock.now())));
			throw error;
		}
	}

	#toPausedEvent(event: RunPausedEvent): LoggedEvent {
		const pause = toLoggedPause(event, this.#stream, this.#options.resumeContext);
		return { ...toLoggedEvent(event), pause };
	}
}

/** A run that is within another ends where it would pause, so that nobody ever sees it wait. */
function endInsteadOfPause(event: RunPausedEvent): TerminalEntry {
	const { run_id: runId, result: done } = event;
	const run = { runId, lastSeq: event.seq - 1, done };
	const failed = { status: "failed", error: pausedWhenNested(runId) } as const;
	return toTerminalEntry(createTerminalEvent(run, failed, event.at));
}

const pausedWhenNested = (runId: string): RunError => ({
	code: "remote_paused",
	message: `The run ${runId} needs an approval, and a run within another run cannot wait for one.`,
	hint: "Set `approval` on the node that calls the agent, and not on its tools.",
});

function toLoggedEvent(event: RunEvent): LoggedEvent {
	const logged = { ...toEventRecord(event), runId: event.run_id };
	switch (event.type) {
		case "run.completed":
		case "run.failed":
		case "run.cancelled":
			return { ...logged, status: event.result.status, endedAt: event.at };
		case "run.started":
			return { ...logged, statusAt: event.at };
		case "run.paused":
			return { ...logged, status: "paused", statusAt: event.at };
		case "run.resumed":
			return { ...logged, status: "running", statusAt: event.at };
		default:
			return logged;
	}
}

const toLoggedPause = (
	{ at, result: { approvals = [] } }: RunPausedEvent,
	stream: LocalRunStream,
	resumeContext: ResumeContext,
): LoggedPause => ({
	state: JSON.stringify(stream.serialize()),
	resumeContext: JSON.stringify(resumeContext),
	approvals: approvals.map(
		({ arguments: json, expires_at, ...approval }): LoggedApproval => ({
			...approval,
			arguments: JSON.stringify(json),
			askedAt: at,
			expiresAt: Date.parse(expires_at),
		}),
	),
});
