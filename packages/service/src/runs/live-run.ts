import type { WireRunEvent } from "@stemma/client";
import type { ApprovalDecision, RunError, RunEvent, RunPausedEvent, RunResult } from "@stemma/core";
import { ConfigurationError } from "@stemma/core/errors";
import type { LocalRunStream } from "@stemma/local";
import type { LoggedApproval, LoggedEvent, LoggedPause } from "./append-events-job";
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
}

/** Follows a run and hands each event over as the log keeps it. */
export function followLiveRun(
	stream: LocalRunStream,
	options: LiveRunOptions,
	onEvent: (event: LoggedEvent) => void,
): LiveRun {
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
		ended: follow(stream, options, onEvent),
	};
}

/** Hands over all events; a run that breaks without a last one gets one, so that nobody waits for it for ever. */
async function follow(
	stream: LocalRunStream,
	{ runId, seq: before, setting }: LiveRunOptions,
	onEvent: (event: LoggedEvent) => void,
): Promise<void> {
	let seq = before;
	try {
		for await (const event of stream) {
			const logged = toLoggedEvent(event);
			onEvent(
				event.type === "run.paused" ? { ...logged, pause: toLoggedPause(event, stream, setting) } : logged,
			);
			seq = event.seq;
		}
	} catch (error) {
		const now = Date.now();
		const broken = toBrokenEvent(runId, seq + 1, now);
		onEvent({ runId, seq: broken.seq, event: JSON.stringify(broken), status: "failed", endedAt: now });
		throw error;
	}
}

export const BROKEN: RunError = {
	code: "internal_error",
	message: "Something went wrong in the service.",
	hint: "This is a mistake of the service, not yours. Its log has more.",
};

function toBrokenEvent(runId: string, seq: number, now: number): WireRunEvent {
	const usage = { input_tokens: 0, output_tokens: 0, model_calls: 0, steps: 0 };
	const result: RunResult = {
		run_id: runId,
		status: "failed",
		output: null,
		citations: [],
		usage,
		receipt: [],
		error: BROKEN,
	};
	return { type: "run.failed", run_id: runId, seq, at: new Date(now).toISOString(), error: BROKEN, result };
}

/** On the wire times are RFC 3339. */
const toWireEvent = (event: RunEvent): WireRunEvent => ({ ...event, at: new Date(event.at).toISOString() });

function toLoggedEvent(event: RunEvent): LoggedEvent {
	const logged = { runId: event.run_id, seq: event.seq, event: JSON.stringify(toWireEvent(event)) };
	switch (event.type) {
		case "run.completed":
		case "run.failed":
		case "run.cancelled":
			return { ...logged, status: event.result.status, endedAt: event.at };
		case "run.paused":
			return { ...logged, status: "paused" };
		case "run.resumed":
			return { ...logged, status: "running" };
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
