import { setTimeout as wait } from "node:timers/promises";
import { type DocumentReader, ReaderStopped } from "./document-reader";
import { untilAborted } from "./until-aborted";

const STOP_GRACE_MS = 3_000;

/** View of a reader that other workspaces use, too: stopping it leaves the reader to them. */
export function createSharedReader(reader: Pick<DocumentReader, "read">): DocumentReader {
	const stopped = new AbortController();
	let latest: Promise<unknown> = Promise.resolve();
	return {
		read(upload) {
			const reading = untilAborted(reader.read(upload), stopped.signal);
			latest = reading.catch(() => undefined);
			return reading;
		},
		async stop() {
			await Promise.race([latest, wait(STOP_GRACE_MS, undefined, { ref: false })]);
			stopped.abort(new ReaderStopped());
		},
	};
}
