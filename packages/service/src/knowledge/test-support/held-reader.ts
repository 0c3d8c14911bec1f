import { setTimeout as wait } from "node:timers/promises";
import { type DocumentReader, ReaderStoppedError } from "../ingest/reading/document-reader";
import { inProcessReader } from "./memory-knowledge";

/** Reader that holds what it reads until the test lets it go on. */
export interface HeldReader extends DocumentReader {
	/** Texts that it has begun to read. */
	readonly started: readonly string[];
	/** Lets it go on with everything, now and later. */
	release(): void;
}

/** @param isHeld - default true. */
export function createHeldReader(isHeld = true): HeldReader {
	const started: string[] = [];
	const released = Promise.withResolvers<void>();
	const stopped = new AbortController();
	if (!isHeld) released.resolve();
	return {
		started,
		release: released.resolve,
		async read(upload, options) {
			await options?.onStart?.();
			started.push(new TextDecoder().decode(upload.bytes));
			await Promise.race([released.promise, waitForAbort(stopped.signal)]);
			if (stopped.signal.aborted) throw new ReaderStoppedError();
			return inProcessReader.read(upload);
		},
		async stop() {
			stopped.abort();
			// What was stopped rejects before that.
			await wait(0);
		},
	};
}

const waitForAbort = (signal: AbortSignal): Promise<void> =>
	new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
