import { StemmaError } from "@stemma/core";
import type { SchemaValidator, SchemaVerdict } from "@stemma/engine";
import { validateSchema } from "@stemma/local";
import { SchemaCheckError } from "./schema-check-error";
import type { WorkspaceSchemaChecker } from "./schema-checker";

/** Steps of a check on the main thread, a few milliseconds: nearly all end within them, and need no thread. */
export const MAX_MAIN_THREAD_STEPS = 50_000;

/**
 * Checks outputs of runs: on the main thread while that takes few steps, and anew in a worker thread otherwise. A check
 * that is not finished there throws `schema_too_costly`.
 */
export const createOutputValidator =
	({ check }: WorkspaceSchemaChecker): SchemaValidator =>
	(schema, value, { signal }) => {
		try {
			return validateSchema(schema, value, MAX_MAIN_THREAD_STEPS);
		} catch (error) {
			if (!StemmaError.is(error) || error.code !== "schema_too_costly") throw error;
			return check(schema, JSON.stringify(value), signal).catch(throwForRun);
		}
	};

/** An error for the run's last event. */
function throwForRun(error: unknown): Promise<SchemaVerdict> {
	if (error instanceof SchemaCheckError)
		throw new StemmaError(`The output could not be checked. ${error.message}`, {
			code: "schema_too_costly",
			hint: "Simplify the schema in `output` of the node: fewer references and alternatives, simpler patterns.",
			cause: error,
		});
	throw error;
}
