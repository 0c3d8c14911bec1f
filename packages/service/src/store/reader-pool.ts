import { availableParallelism } from "node:os";
import { type DatabaseThread, startDatabaseThread, type ThreadCall } from "./database-threads";

/** Threads that only read, as many as there is work for. */
export interface ReaderPool {
	/** Answers from the thread with the least to do; the file is opened there when it is needed. */
	call<Value>(request: ThreadCall): Promise<Value>;
	/** Closes a file in all threads. */
	closeFile(file: string): Promise<void>;
	stop(): Promise<void>;
}

interface Reader {
	readonly thread: DatabaseThread;
	/** Which files are open, oldest use first. */
	readonly files: Map<string, Promise<unknown>>;
	idleSince: number;
}

const MAX_FILES = 64;
const IDLE_MS = 30_000;

/** @param maxThreads - default: one less than there are processors, 1 to 4. Threads without work end after a while. */
export function createReaderPool(
	maxThreads = Math.min(4, Math.max(1, availableParallelism() - 1)),
): ReaderPool {
	const readers: Reader[] = [];
	const sweep = setInterval(endIdle, IDLE_MS);
	sweep.unref();

	function endIdle(): void {
		const last = readers.at(-1);
		if (last === undefined || last.thread.pending > 0 || Date.now() - last.idleSince < IDLE_MS) return;
		readers.pop();
		void last.thread.stop();
	}

	function pickReader(): Reader {
		const [first, ...others] = [...readers].sort((a, b) => a.thread.pending - b.thread.pending);
		if (first !== undefined && (first.thread.pending === 0 || others.length + 1 >= maxThreads)) return first;
		const started = startReader(readers.length);
		readers.push(started);
		return started;
	}

	return {
		async call<Value>(request: ThreadCall) {
			const reader = pickReader();
			// Both are sent at once, and heard in order: nothing can close the file in between.
			const opening = openFile(reader, request.file);
			const answering = reader.thread.call<Value>(request);
			answering.catch(() => undefined);
			try {
				await opening;
				return await answering;
			} finally {
				reader.idleSince = Date.now();
			}
		},
		async closeFile(file) {
			await Promise.all(
				readers.map(async ({ thread, files }) => {
					if (files.delete(file)) await thread.call({ type: "close", file });
				}),
			);
		},
		async stop() {
			clearInterval(sweep);
			await Promise.all(readers.map(({ thread }) => thread.stop()));
		},
	};
}

const startReader = (index: number): Reader => ({
	thread: startDatabaseThread(`reader-${index}`),
	files: new Map(),
	idleSince: Date.now(),
});

function openFile({ thread, files }: Reader, file: string): Promise<unknown> {
	const opening = files.get(file) ?? thread.call({ type: "open", file, migrations: [], readOnly: true });
	files.delete(file);
	files.set(file, opening);
	opening.catch(() => files.delete(file));
	closeOldest(thread, files);
	return opening;
}

function closeOldest(thread: DatabaseThread, files: Map<string, Promise<unknown>>): void {
	if (files.size <= MAX_FILES) return;
	const [oldest = ""] = files.keys();
	files.delete(oldest);
	thread.call({ type: "close", file: oldest }).catch(() => undefined);
}
