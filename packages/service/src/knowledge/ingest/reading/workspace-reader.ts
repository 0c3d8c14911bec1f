import { setTimeout as wait } from "node:timers/promises";
import { rejectOnAbort } from "../reject-on-abort";
import { type DocumentReader, type DocumentReaders, ReaderStoppedError } from "./document-reader";

const STOP_GRACE_MS = 3_000;

/** Reader of one workspace over the processes of all: stopping it leaves the processes to the others. */
export function createWorkspaceReader(
	readers: Pick<DocumentReaders, "read" | "findAddedFormat">,
	workspaceId: string,
): DocumentReader {
	const stopController = new AbortController();
	const forceStopController = new AbortController();
	const inFlight = new Set<Promise<unknown>>();
	return {
		findAddedFormat: readers.findAddedFormat,
		read(upload, options) {
			const reading = readers.read(workspaceId, upload, { ...options, signal: stopController.signal });
			const tracked = reading.catch(() => undefined).finally(() => inFlight.delete(tracked));
			inFlight.add(tracked);
			return rejectOnAbort(reading, forceStopController.signal);
		},
		async stop() {
			stopController.abort(new ReaderStoppedError());
			await Promise.race([Promise.all(inFlight), wait(STOP_GRACE_MS, undefined, { ref: false })]);
			forceStopController.abort(new ReaderStoppedError());
		},
	};
}
