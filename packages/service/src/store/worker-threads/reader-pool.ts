import { availableParallelism } from "node:os";
import { clock } from "@stemma/core/internal";
import { createWorkspaceQueue } from "../../fairness/workspace-queue";
import { type DatabaseThread, startDatabaseThread, type ThreadCall } from "./database-threads";

/** Threads that only read, as many as there is work for. The files take turns; each thread has one call at a time. */
export interface ReaderPool {
	/**
	 * Answers from a thread without work, once it is the turn of the file; the file is opened there when it is needed.
	 *
	 * @param signal - takes a call that still waits out of the queue; one that has started is not told.
	 */
	call<Value>(request: ThreadCall, signal?: AbortSignal): Promise<Value>;
	/** Closes a file in all threads. Calls that wait for their turn fail. */
	closeFile(file: string): Promise<void>;
	stop(): Promise<void>;
}

interface Reader {
	readonly thread: DatabaseThread;
	/** Open files, least recently used first. */
	readonly files: Map<string, Promise<unknown>>;
	idleSince: number;
}

const MAX_FILES = 64;
const IDLE_MS = 30_000;

/** Default of the threads that one file gets: one less than there are processors, 1 to 4. */
const toThreadsPerFile = (): number => Math.min(4, Math.max(1, availableParallelism() - 1));

/**
 * @param threadsPerFile - threads that read one file at once. There is one thread more, so that a file whose calls take
 * long never has them all. Threads without work end after a while.
 */
export function createReaderPool(threadsPerFile = toThreadsPerFile()): ReaderPool {
	const maxThreads = threadsPerFile + 1;
	const readers: Reader[] = [];
	const queue = createWorkspaceQueue({
		concurrency: maxThreads,
		concurrencyPerWorkspace: threadsPerFile,
		// Those who ask are limited where they are known: by workspace and by kind of work.
		maxWaiting: Number.POSITIVE_INFINITY,
		name: "reads",
	});
	const idleTimer = setInterval(stopIdleReader, IDLE_MS);
	idleTimer.unref();

	function stopIdleReader(): void {
		const last = readers.at(-1);
		if (last === undefined || last.thread.pending > 0 || clock.now() - last.idleSince < IDLE_MS) return;
		readers.pop();
		void last.thread.stop();
	}

	function pickReader(): Reader {
		const [first, ...others] = [...readers].sort((a, b) => a.thread.pending - b.thread.pending);
		if (first !== undefined && (first.thread.pending === 0 || others.length + 1 >= maxThreads)) return first;
		return addReader();
	}

	function addReader(): Reader {
		const started = startReader(readers.length);
		readers.push(started);
		return started;
	}

	return {
		call<Value>(request: ThreadCall, signal?: AbortSignal) {
			const called = queue.run(request.file, () => callReader<Value>(pickReader(), request), { signal });
			// A thread takes a while to start: it is there before another file needs it.
			if (queue.queued > 0 && readers.length < maxThreads) addReader();
			return called;
		},
		async closeFile(file) {
			queue.cancel(file, new Error("The file was closed before it was read."));
			await Promise.all(
				readers.map(async ({ thread, files }) => {
					if (files.delete(file)) await thread.call({ type: "close", file });
				}),
			);
		},
		async stop() {
			clearInterval(idleTimer);
			await Promise.all(readers.map(({ thread }) => thread.stop()));
		},
	};
}

const startReader = (index: number): Reader => ({
	thread: startDatabaseThread(`reader-${index}`),
	files: new Map(),
	idleSince: clock.now(),
});

async function callReader<Value>(reader: Reader, request: ThreadCall): Promise<Value> {
	// Both are sent at once, and heard in order: nothing can close the file in between.
	const opened = openFile(reader, request.file);
	const response = reader.thread.call<Value>(request);
	response.catch(() => undefined);
	try {
		await opened;
		return await response;
	} finally {
		reader.idleSince = clock.now();
	}
}

function openFile({ thread, files }: Reader, file: string): Promise<unknown> {
	const opened =
		files.get(file) ?? thread.call({ type: "open", file, migrations: [], mustExist: true, readOnly: true });
	files.delete(file);
	files.set(file, opened);
	opened.catch(() => files.delete(file));
	closeOldest(thread, files);
	return opened;
}

function closeOldest(thread: DatabaseThread, files: Map<string, Promise<unknown>>): void {
	if (files.size <= MAX_FILES) return;
	const [oldest = ""] = files.keys();
	files.delete(oldest);
	thread.call({ type: "close", file: oldest }).catch(() => undefined);
}
