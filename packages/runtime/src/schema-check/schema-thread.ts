import { Worker } from "node:worker_threads";
import type { Json, JsonSchema } from "@stemma/core";
import { StemmaError } from "@stemma/core/errors";
import type { SchemaValidationResult } from "@stemma/engine";

/** A value and the schema that it is checked against. */
export interface SchemaCheckTask {
	readonly schema: JsonSchema;
	readonly value: Json;
}

/** Worker thread that checks one value after the other; a check that takes too long ends it, and the next one starts another. */
export interface SchemaThread {
	/** @throws StemmaError `schema_too_costly`; the reason of the signal, where it aborts before the check begins. */
	check(task: SchemaCheckTask, signal: AbortSignal): Promise<SchemaValidationResult>;
	/** Ends the thread. What waits is not checked. */
	stop(): void;
}

/** Time of one check. */
export const MAX_CHECK_MS = 1_000;
const MAX_START_MS = 30_000;
const MEMORY = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 };

/** Creates a thread that starts with its first task, and keeps no process running. */
export function createSchemaThread(): SchemaThread {
	let worker: Worker | undefined;
	let lastCheck: Promise<unknown> = Promise.resolve();

	async function start(): Promise<Worker> {
		const started = new Worker(new URL("./schema-check-thread.js", import.meta.url), {
			name: "schemas",
			execArgv: [],
			resourceLimits: MEMORY,
		});
		started.unref();
		await waitForMessage(started, MAX_START_MS);
		return started;
	}

	async function runCheck(task: SchemaCheckTask, signal: AbortSignal): Promise<SchemaValidationResult> {
		signal.throwIfAborted();
		try {
			worker ??= await start();
			worker.postMessage(task);
			// The thread sends nothing else.
			return (await waitForMessage(worker, MAX_CHECK_MS)) as SchemaValidationResult;
		} catch (cause) {
			stop();
			throw tooCostly(cause);
		}
	}

	function stop(): void {
		void worker?.terminate();
		worker = undefined;
	}

	return {
		check(task, signal) {
			const checking = lastCheck.then(() => runCheck(task, signal));
			lastCheck = checking.catch(() => undefined);
			return checking;
		},
		stop,
	};
}

/** The next message of a thread. Rejects when none comes in time, or the thread ends. */
function waitForMessage(worker: Worker, limitMs: number): Promise<unknown> {
	return new Promise((resolve, reject) => {
		const timer = setTimeout(() => settle(() => reject(new Error("The time is over."))), limitMs);
		const onMessage = (message: unknown) => settle(() => resolve(message));
		const onError = (error: Error) => settle(() => reject(error));
		const onExit = () => settle(() => reject(new Error("The thread ended.")));
		function settle(finish: () => void): void {
			clearTimeout(timer);
			worker.off("message", onMessage).off("error", onError).off("exit", onExit);
			// An error that nobody waits for would end the process.
			worker.on("error", () => undefined);
			finish();
		}
		worker.on("message", onMessage).on("error", onError).on("exit", onExit);
	});
}

const tooCostly = (cause: unknown): StemmaError =>
	new StemmaError(
		`The output could not be checked against its JSON Schema within ${MAX_CHECK_MS / 1_000} s, or within the memory for it.`,
		{
			code: "schema_too_costly",
			hint: "Simplify the schema in `output` of the node: fewer references and alternatives, simpler patterns.",
			cause,
		},
	);
