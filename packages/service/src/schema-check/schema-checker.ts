import type { JsonSchema } from "@stemma/core";
import type { SchemaValidationResult } from "@stemma/engine";
import { WorkerFailure } from "../worker-threads/worker-failure";
import { SchemaCheckError } from "./schema-check-error";
import { createSchemaCheckQueue } from "./schema-check-queue";
import type { SchemaCheckTask } from "./schema-check-task";

/**
 * Checks against JSON Schemas that callers wrote, in worker threads with a limit of time. Workspaces take turns. One whose
 * check took too long waits among its like, in a thread of their own: the others never wait for it.
 */
export interface SchemaChecker {
	forWorkspace(workspaceId: string): WorkspaceSchemaChecker;
	stop(): Promise<void>;
}

export interface WorkspaceSchemaChecker {
	/**
	 * Checks a JSON text against a schema, or the schema itself where there is no text.
	 *
	 * @param signal - of who waits for it: when it aborts, a check that has not begun is not made.
	 * @throws SchemaCheckError when the check takes too long, or the schema or the text is too large; DomainError 429
	 * `too_many_waiting` without a text.
	 */
	check(schema: JsonSchema, json?: string, signal?: AbortSignal): Promise<SchemaValidationResult>;
}

export interface SchemaCheckerLimits {
	/** Limit of one check. Default 1 s. */
	readonly timeoutMs?: number;
}

export const MAX_CHECK_MS = 1_000;
export const MAX_SCHEMA_CHARACTERS = 256 * 1024;
export const MAX_JSON_CHARACTERS = 2 * 1024 * 1024;
/** Time that a workspace stays in the slow queue after its check took too long. */
const SLOW_MS = 60_000;

export function createSchemaChecker({ timeoutMs = MAX_CHECK_MS }: SchemaCheckerLimits = {}): SchemaChecker {
	const queue = createSchemaCheckQueue("schemas", timeoutMs);
	const slowQueue = createSchemaCheckQueue("slow-schemas", timeoutMs);
	const slowWorkspaces = createSlowWorkspaces();

	async function perform(
		workspaceId: string,
		task: SchemaCheckTask,
		signal: AbortSignal | undefined,
	): Promise<SchemaValidationResult> {
		try {
			return await (slowWorkspaces.has(workspaceId) ? slowQueue : queue).perform(workspaceId, task, signal);
		} catch (error) {
			if (!(error instanceof WorkerFailure)) throw error;
			if (error.reason !== "stopped") slowWorkspaces.add(workspaceId);
			throw toCheckError(error, timeoutMs);
		}
	}

	return {
		forWorkspace: (workspaceId) => ({
			async check(schema, json, signal) {
				assertSize(JSON.stringify(schema), MAX_SCHEMA_CHARACTERS, "The schema");
				if (json !== undefined) assertSize(json, MAX_JSON_CHARACTERS, "The JSON");
				return perform(workspaceId, json === undefined ? { schema } : { schema, json }, signal);
			},
		}),
		async stop() {
			await Promise.all([queue.stop(), slowQueue.stop()]);
		},
	};
}

/** Workspaces whose checks took too long of late. */
function createSlowWorkspaces() {
	const expiryTimes = new Map<string, number>();
	return {
		add(workspaceId: string): void {
			const now = performance.now();
			for (const [id, end] of expiryTimes) if (end <= now) expiryTimes.delete(id);
			expiryTimes.set(workspaceId, now + SLOW_MS);
		},
		has: (workspaceId: string): boolean => (expiryTimes.get(workspaceId) ?? 0) > performance.now(),
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
		too_much_output: "The check of the schema failed.",
		stopped: "The service is stopping.",
	};
	return new SchemaCheckError(messages[failure.reason], { cause: failure });
}
