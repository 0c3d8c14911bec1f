import { Worker } from "node:worker_threads";
import { toStorageError } from "./storage-error";
import type { ThreadRequest, ThreadResponse } from "./thread-protocol";

/** A request without what the thread adds to it. */
export type ThreadCall = ThreadRequest extends infer Request
	? Request extends ThreadRequest
		? Omit<Request, "call">
		: never
	: never;

/** One thread that has SQLite files open. Its drivers block, so they live there and not where requests are answered. */
export interface DatabaseThread {
	/** How many calls wait for an answer. */
	readonly pending: number;
	call<Value>(request: ThreadCall): Promise<Value>;
	/** Ends the thread once all calls are answered. */
	stop(): Promise<void>;
}

interface Waiting {
	readonly file: string;
	resolve(value: unknown): void;
	reject(error: unknown): void;
}

export function startDatabaseThread(name: string): DatabaseThread {
	const worker = new Worker(new URL("./database-thread.js", import.meta.url), {
		name,
		// Not those of the process: some are for its main script alone.
		execArgv: [],
	});
	const waiting = new Map<number, Waiting>();
	let calls = 0;
	let end: Error | undefined;
	let whenIdle: (() => void) | undefined;

	function settle(call: number): Waiting | undefined {
		const found = waiting.get(call);
		waiting.delete(call);
		if (waiting.size === 0) whenIdle?.();
		return found;
	}

	worker.on("message", (response: ThreadResponse) => {
		const found = settle(response.call);
		if ("failure" in response) found?.reject(toStorageError(response.failure, found.file));
		else found?.resolve(response.value);
	});
	const fail = (error: unknown): void => {
		for (const call of [...waiting.keys()]) settle(call)?.reject(error);
	};
	worker.on("error", fail);
	worker.on("exit", () => {
		// Without it nothing can be read or written: a process that ends is started again, one that lingers is not.
		if (end === undefined)
			queueMicrotask(() => {
				throw new Error(`The database thread "${name}" has ended.`);
			});
		end ??= new Error(`The thread "${name}" has ended.`);
		fail(end);
	});

	return {
		get pending() {
			return waiting.size;
		},
		call<Value>(request: ThreadCall) {
			if (end !== undefined) return Promise.reject(end);
			calls += 1;
			const call = calls;
			return new Promise<Value>((resolve, reject) => {
				// What comes back is what the request asks for; the callers below know which.
				waiting.set(call, { file: request.file, resolve: resolve as (value: unknown) => void, reject });
				worker.postMessage({ ...request, call });
			});
		},
		async stop() {
			end ??= new Error(`The thread "${name}" is stopping.`);
			if (waiting.size > 0) await new Promise<void>((resolve) => (whenIdle = resolve));
			await worker.terminate();
		},
	};
}
