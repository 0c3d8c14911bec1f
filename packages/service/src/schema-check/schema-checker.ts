import type { JsonSchema } from "@stemma/core";
import type { SchemaVerdict } from "@stemma/engine";
import { WorkerFailure } from "../threads/worker-failure";
import { createWorkerQueue } from "../threads/worker-queue";
import { SchemaCheckError } from "./schema-check-error";
import type { SchemaCheckTask } from "./schema-check-task";

/**
 * Checks against JSON Schemas that callers wrote, in a worker thread: one with a pattern such as `^(a+)+$` would block the
 * service otherwise.
 */
export interface SchemaChecker {
	/**
	 * Checks a JSON text against a schema, or the schema itself where there is no text.
	 *
	 * @throws SchemaCheckError when the check takes too long, or the schema or the text is too large.
	 */
	check(schema: JsonSchema, json?: string): Promise<SchemaVerdict>;
	stop(): Promise<void>;
}

export interface SchemaCheckerLimits {
	/** Limit of one check. Default 1 s. */
	readonly timeoutMs?: number;
}

const MAX_SCHEMA_CHARACTERS = 256 * 1024;
const MAX_JSON_CHARACTERS = 2 * 1024 * 1024;
const MEMORY_MEBIBYTES = 128;

export function createSchemaChecker({ timeoutMs = 1_000 }: SchemaCheckerLimits = {}): SchemaChecker {
	const queue = createWorkerQueue<SchemaCheckTask, SchemaVerdict>({
		name: "schemas",
		script: new URL("./schema-check-thread.js", import.meta.url),
		timeoutMs,
		memoryMebibytes: MEMORY_MEBIBYTES,
	});
	return {
		async check(schema, json) {
			assertSize(JSON.stringify(schema), MAX_SCHEMA_CHARACTERS, "The schema");
			if (json !== undefined) assertSize(json, MAX_JSON_CHARACTERS, "The JSON");
			const task = json === undefined ? { schema } : { schema, json };
			return queue.perform(task).catch((error: unknown) => {
				throw error instanceof WorkerFailure ? toCheckError(error, timeoutMs) : error;
			});
		},
		stop: queue.stop,
	};
}

function assertSize({ length }: string, limit: number, what: string): void {
	if (length > limit)
		throw new SchemaCheckError(`${what} is too large to check: ${length} characters, the limit is ${limit}.`);
}

function toCheckError(failure: WorkerFailure, timeoutMs: number): SchemaCheckError {
	const messages = {
		timeout: `The schema takes longer than ${timeoutMs / 1_000} s to check.`,
		out_of_memory: "The schema takes too much memory to check.",
		crashed: "The check of the schema failed.",
		stopped: "The service is stopping.",
	};
	return new SchemaCheckError(messages[failure.reason], { cause: failure });
}
