import { Worker } from "node:worker_threads";
import { toStorageError } from "../storage-error";
import type { ThreadRequest, ThreadResponse } from "./thread-protocol";

/** A request without what the thread adds to it. */
export type ThreadCall = ThreadRequest extends infer Request
	? Request extends ThreadRequest
		? Omit<Request, "callId">
		: never
	: never;

/** One thread that has SQLite files open. Its drivers block, so they live there and not where requests are answered. */
export interface DatabaseThread {
	/** Number of calls that wait for a response. */
	readonly pending: number;
	call<Value>(request: ThreadCall): Promise<Value>;
	/** Ends the thread once all calls are answered. */
	stop(): Promise<void>;
}

interface PendingCall {
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
	const pendingCalls = new Map<number, PendingCall>();
	let calls = 0;
	let endError: Error | undefined;
	let onIdle: (() => void) | undefined;

	function takePending(callId: number): PendingCall | undefined {
		const found = pendingCalls.get(callId);
		pendingCalls.delete(callId);
		if (pendingCalls.size === 0) onIdle?.();
		return found;
	}

	worker.on("message", (response: ThreadResponse) => {
		const found = takePending(response.callId);
		if ("failure" in response) found?.reject(toStorageError(response.failure, found.file));
		else found?.resolve(response.value);
	});
	const fail = (error: unknown): void => {
		for (const callId of [...pendingCalls.keys()]) takePending(callId)?.reject(error);
	};
	worker.on("error", fail);
	worker.on("exit", () => {
		if (endError === undefined) endProcess(name);
		endError ??= new Error(`The thread "${name}" has ended.`);
		fail(endError);
	});

	return {
		get pending() {
			return pendingCalls.size;
		},
		call<Value>(request: ThreadCall) {
			if (endError !== undefined) return Promise.reject(endError);
			calls += 1;
			const callId = calls;
			return new Promise<Value>((resolve, reject) => {
				// What comes back is what the request asks for; the callers below know which.
				pendingCalls.set(callId, {
					file: request.file,
					resolve: resolve as (value: unknown) => void,
					reject,
				});
				worker.postMessage({ ...request, callId });
			});
		},
		async stop() {
			endError ??= new Error(`The thread "${name}" is stopping.`);
			if (pendingCalls.size > 0) await new Promise<void>((resolve) => (onIdle = resolve));
			await worker.terminate();
		},
	};
}

/** Ends the process: without the thread nothing can be read or written, and a process that ends is started again. */
function endProcess(name: string): void {
	queueMicrotask(() => {
		throw new Error(`The database thread "${name}" has ended.`);
	});
}
