import type { WireRunEvent } from "@stemma/client";
import type { ApprovalDecision, RunError, RunEvent, RunPausedEvent } from "@stemma/core";
import { ConfigurationError } from "@stemma/core/errors";
import { clock } from "@stemma/core/internal";
import type { LocalRunStream } from "@stemma/local";
import type { LoggedApproval, LoggedEvent, LoggedPause, RunEnd } from "./append-events-job";
import { endBrokenRun } from "./broken-run";
import { endWaitingRun } from "./end-waiting-run";
import type { RunSetting } from "./run-setting";

/** A run under way in this process. */
export interface LiveRun {
	cancel(): void;
	/** False where that approval is not open, or not any more: the run may just have paused. */
	decide(decision: ApprovalDecision): boolean;
	/** Its last event was handed over: it has ended or paused. */
	readonly ended: Promise<void>;
}

export interface LiveRunOptions {
	readonly runId: string;
	/** Of the last event before; 0 for a run that begins. */
	readonly seq: number;
	readonly setting: RunSetting;
	/** Another run needs it, and waits for nobody: a pause ends it. */
	readonly isWithin: boolean;
}

/** Where the events of a run go. */
export interface LiveRunLog {
	append(event: LoggedEvent): void;
	/** Gets an end in place of the engine's, which followers of its events never see. */
	end(event: RunEnd): void;
}

/** Follows a run and hands each event over as the log keeps it. */
export function followLiveRun(stream: LocalRunStream, options: LiveRunOptions, log: LiveRunLog): LiveRun {
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
	options: LiveRunOptions,
	{ append, end }: LiveRunLog,
): Promise<void> {
	let { seq } = options;
	try {
		for await (const event of stream) {
			if (event.type === "run.paused" && options.isWithin) end(endInPlaceOf(event, options));
			else append(event.type === "run.paused" ? toPause(event, stream, options) : toLoggedEvent(event));
			seq = event.seq;
		}
	} catch (error) {
		end(endBrokenRun(options.runId, seq + 1, clock.now()));
		throw error;
	}
}

const toPause = (
	event: RunPausedEvent,
	stream: LocalRunStream,
	{ setting }: LiveRunOptions,
): LoggedEvent => ({ ...toLoggedEvent(event), pause: toLoggedPause(event, stream, setting) });

/** A run that is within another ends where it would pause, so that nobody ever sees it wait. */
function endInPlaceOf(event: RunPausedEvent, { runId }: LiveRunOptions): RunEnd {
	const before = { id: runId, last_seq: event.seq - 1 };
	return endWaitingRun(before, event.result, { status: "failed", error: waitsForNobody(runId) }, event.at);
}

const waitsForNobody = (runId: string): RunError => ({
	code: "remote_paused",
	message: `The run ${runId} needs an approval, and a run within another waits for nobody.`,
	hint: "Set `approval` on the node that calls the agent, and not on its tools.",
});

/** On the wire times are RFC 3339. */
const toWireEvent = (event: RunEvent): WireRunEvent => ({ ...event, at: new Date(event.at).toISOString() });

function toLoggedEvent(event: RunEvent): LoggedEvent {
	const logged = { runId: event.run_id, seq: event.seq, event: JSON.stringify(toWireEvent(event)) };
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
	setting: RunSetting,
): LoggedPause => ({
	state: JSON.stringify(stream.serialize()),
	setting: JSON.stringify(setting),
	approvals: approvals.map(
		({ arguments: json, expires_at, ...approval }): LoggedApproval => ({
			...approval,
			arguments: JSON.stringify(json),
			askedAt: at,
			expiresAt: Date.parse(expires_at),
		}),
	),
});
