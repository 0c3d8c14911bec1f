import type { WireRunEvent } from "@stemma/client";
import type { RunEvent } from "@stemma/core";
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
	return {
		cancel: () => stream.cancel(),
		ended: (async () => {
			for await (const event of stream) onEvent(toLoggedEvent(event));
		})(),
	};
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
