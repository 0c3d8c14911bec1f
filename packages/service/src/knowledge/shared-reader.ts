import { setTimeout as wait } from "node:timers/promises";
import { type DocumentReader, type DocumentReaders, ReaderStopped } from "./document-reader";
import { untilAborted } from "./until-aborted";

const STOP_GRACE_MS = 3_000;

/** Reader of one workspace over the threads of all: stopping it leaves the threads to the others. */
export function createSharedReader(
	readers: Pick<DocumentReaders, "read">,
	workspaceId: string,
): DocumentReader {
	const stopping = new AbortController();
	const stopped = new AbortController();
	const inFlight = new Set<Promise<unknown>>();
	return {
		read(upload, options) {
			const reading = readers.read(workspaceId, upload, { ...options, signal: stopping.signal });
			const settled = reading.catch(() => undefined).finally(() => inFlight.delete(settled));
			inFlight.add(settled);
			return untilAborted(reading, stopped.signal);
		},
		async stop() {
			stopping.abort(new ReaderStopped());
			await Promise.race([Promise.all(inFlight), wait(STOP_GRACE_MS, undefined, { ref: false })]);
			stopped.abort(new ReaderStopped());
		},
	};
}
