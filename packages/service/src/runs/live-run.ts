import type { WireRunEvent } from "@stemma/client";
import type { RunError, RunEvent, RunResult, RunStream } from "@stemma/core";
import type { LocalAgent, LocalRunOptions } from "@stemma/local";
import type { LoggedEvent } from "./append-events-job";

/** A run under way in this process. */
export interface LiveRun {
	cancel(): void;
	/** Its last event was handed over. */
	readonly ended: Promise<void>;
}

/** Starts a run and hands each event over as the log keeps it. */
export function startLiveRun(
	agent: LocalAgent,
	options: LocalRunOptions & { readonly runId: string },
	onEvent: (event: LoggedEvent) => void,
): LiveRun {
	const stream = agent.stream(options);
	// Its failure is in its last event.
	stream.result().catch(() => undefined);
	return { cancel: () => stream.cancel(), ended: follow(stream, options.runId, onEvent) };
}

/** Hands over all events; a run that breaks without a last one gets one, so that nobody waits for it for ever. */
async function follow(
	stream: RunStream,
	runId: string,
	onEvent: (event: LoggedEvent) => void,
): Promise<void> {
	let seq = 0;
	try {
		for await (const event of stream) {
			seq = event.seq;
			onEvent(toLoggedEvent(event));
		}
	} catch (error) {
		const now = Date.now();
		const broken = toBrokenEvent(runId, seq + 1, now);
		onEvent({ runId, seq: broken.seq, event: JSON.stringify(broken), status: "failed", endedAt: now });
		throw error;
	}
}

const BROKEN: RunError = {
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
