import { StemmaError } from "@stemma/core";
import type { SchemaValidationResult, SchemaValidator } from "@stemma/engine";
import { validateSchema } from "@stemma/local";
import { SchemaCheckError } from "./schema-check-error";
import type { WorkspaceSchemaChecker } from "./schema-checker";

/** Steps of a check on the main thread, a few milliseconds: nearly all end within them, and need no thread. */
export const MAX_MAIN_THREAD_STEPS = 50_000;
/** Schemas of more characters are checked in a thread at once: to read and index one takes longer than few steps. */
export const MAX_MAIN_THREAD_SCHEMA_CHARACTERS = 16 * 1024;

/**
 * Checks outputs of runs: on the main thread while the schema is small and that takes few steps, in a worker thread otherwise. A check
 * that is not finished there throws `schema_too_costly`.
 */
export const createOutputValidator =
	({ check }: WorkspaceSchemaChecker): SchemaValidator =>
	(schema, value, { signal }) => {
		const checkInThread = () => check(schema, JSON.stringify(value), signal).catch(throwRunError);
		if (JSON.stringify(schema).length > MAX_MAIN_THREAD_SCHEMA_CHARACTERS) return checkInThread();
		try {
			return validateSchema(schema, value, MAX_MAIN_THREAD_STEPS);
		} catch (error) {
			if (!StemmaError.is(error) || error.code !== "schema_too_costly") throw error;
			return checkInThread();
		}
	};

/** An error for the run's last event. */
function throwRunError(error: unknown): Promise<SchemaValidationResult> {
	if (error instanceof SchemaCheckError)
		throw new StemmaError(`The output could not be checked. ${error.message}`, {
			code: "schema_too_costly",
			hint: "Simplify the schema in `output` of the node: fewer references and alternatives, simpler patterns.",
			cause: error,
		});
	throw error;
}
