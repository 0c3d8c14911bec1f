import type { LoggedEvent } from "./event-log";
import type { Run } from "./run";
import { waitForChange } from "./wait-for-change";

/** After so long a silence a comment is sent, so that nothing between takes the connection for dead. */
const HEARTBEAT_MS = 15_000;

const HEARTBEAT = ": still here\n\n";

/**
 * A run as `text/event-stream` (HTML standard, section 9.2), from after that number to its end. Reads from the run's log as
 * fast as it is itself read; a reader too slow for the log is cut off, and told so when it rejoins. Leaving it does
 * not stop the run.
 */
export function toEventStream(run: Run, after: number): ReadableStream<Uint8Array> {
	const encoder = new TextEncoder();
	const left = new AbortController();
	let seq = after;
	// Watching begins with the first read: a stream that nobody ever reads is not cancelled either.
	let unwatch: (() => void) | undefined;
	return new ReadableStream<Uint8Array>(
		{
			async pull(controller) {
				unwatch ??= run.watch(() => undefined);
				let events = run.log.after(seq);
				if (events?.length === 0 && run.result === undefined) {
					const outcome = await waitForChange(run, HEARTBEAT_MS, left.signal);
					if (left.signal.aborted) return;
					if (outcome === "silent") return controller.enqueue(encoder.encode(HEARTBEAT));
					events = run.log.after(seq);
				}
				for (const event of events ?? []) controller.enqueue(encoder.encode(toText(event)));
				seq = events?.at(-1)?.seq ?? seq;
				if (events !== undefined && (run.result === undefined || seq < run.log.lastSeq)) return;
				unwatch?.();
				controller.close();
			},
			cancel() {
				left.abort();
				unwatch?.();
			},
		},
		{ highWaterMark: 0 },
	);
}

const toText = ({ seq, type, json }: LoggedEvent): string => `id: ${seq}\nevent: ${type}\ndata: ${json}\n\n`;
