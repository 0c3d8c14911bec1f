import { isStemmaError } from "@stemma/core/errors";
import type { SchemaValidator } from "@stemma/engine";
import { validateSchema } from "@stemma/local";
import type { SchemaThread } from "./schema-thread";

/** Steps of a check on the main thread, a few milliseconds: nearly all end within them, and need no thread. */
export const MAX_MAIN_THREAD_STEPS = 50_000;
/** Schemas of more characters are checked in the thread at once: to read and index one takes longer than few steps. */
export const MAX_MAIN_THREAD_SCHEMA_CHARACTERS = 16 * 1024;

/** Checks outputs on the main thread while the schema is small and that takes few steps, in the thread otherwise. */
export const createOutputValidator =
	({ check }: Pick<SchemaThread, "check">): SchemaValidator =>
	(schema, value, { signal }) => {
		if (JSON.stringify(schema).length > MAX_MAIN_THREAD_SCHEMA_CHARACTERS)
			return check({ schema, value }, signal);
		try {
			return validateSchema(schema, value, MAX_MAIN_THREAD_STEPS);
		} catch (error) {
			if (!isStemmaError(error) || error.code !== "schema_too_costly") throw error;
			return check({ schema, value }, signal);
		}
	};
