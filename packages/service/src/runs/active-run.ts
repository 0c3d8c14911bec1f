import type { ApprovalDecision, RunError, RunEvent, RunPausedEvent } from "@stemma/core";
import { ConfigurationError } from "@stemma/core/errors";
import { clock } from "@stemma/core/internal";
import type { LocalRunStream } from "@stemma/local";
import {
	createTerminalEvent,
	type LoggedApproval,
	type LoggedEvent,
	type LoggedPause,
	toEventRecord,
} from "@stemma/runs";
import { INTERNAL_ERROR, type TerminalEntry, toTerminalEntry } from "./events/terminal-entry";
import type { ResumeContext } from "./resume-context";

/** A run under way in this process. */
export interface ActiveRun {
	cancel(): void;
	/** False where that approval is not open, or not any more: the run may just have paused. */
	decide(decision: ApprovalDecision): boolean;
	/** Promise that resolves once the last event was handed over: the run has ended or paused. */
	readonly ended: Promise<void>;
}

export interface ActiveRunOptions {
	readonly runId: string;
	/** Sequence number of the last event before; 0 for a run that starts. */
	readonly seq: number;
	readonly resumeContext: ResumeContext;
	/** Another run needs it, and waits for nobody: a pause ends it. */
	readonly isNested: boolean;
}

/** Log for the events of a run. */
export interface ActiveRunLog {
	append(event: LoggedEvent): void;
	/** Gets an end in place of the engine's, which followers of its events never see. */
	end(event: TerminalEntry): void;
}

/** Follows a run and hands each event over as the log keeps it. */
export function followActiveRun(
	stream: LocalRunStream,
	options: ActiveRunOptions,
	log: ActiveRunLog,
): ActiveRun {
	// Its failure is in its last event.
	stream.result().catch(() => undefined);
	return {
		cancel: () => stream.cancel(),
		decide(decision) {
			try {
				stream.decide(decision);
				return true;
			} catch (error) {
				if (ConfigurationError.is(error)) return false;
				throw error;
			}
		},
		ended: follow(stream, options, log),
	};
}

/** Hands over all events; a run that breaks without a last one gets one, so that nobody waits for it for ever. */
async function follow(
	stream: LocalRunStream,
	options: ActiveRunOptions,
	{ append, end }: ActiveRunLog,
): Promise<void> {
	let { seq } = options;
	try {
		for await (const event of stream) {
			if (event.type === "run.paused" && options.isNested) end(endInsteadOfPause(event, options));
			else append(event.type === "run.paused" ? toPausedEvent(event, stream, options) : toLoggedEvent(event));
			seq = event.seq;
		}
	} catch (error) {
		const run = { runId: options.runId, lastSeq: seq };
		const failed = { status: "failed", error: INTERNAL_ERROR } as const;
		end(toTerminalEntry(createTerminalEvent(run, failed, clock.now())));
		throw error;
	}
}

const toPausedEvent = (
	event: RunPausedEvent,
	stream: LocalRunStream,
	{ resumeContext }: ActiveRunOptions,
): LoggedEvent => ({ ...toLoggedEvent(event), pause: toLoggedPause(event, stream, resumeContext) });

/** A run that is within another ends where it would pause, so that nobody ever sees it wait. */
function endInsteadOfPause(event: RunPausedEvent, { runId }: ActiveRunOptions): TerminalEntry {
	const run = { runId, lastSeq: event.seq - 1, done: event.result };
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
