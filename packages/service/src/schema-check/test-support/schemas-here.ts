import { performSchemaCheck } from "../schema-check-task";
import type { SchemaChecker } from "../schema-checker";

/** Checks in the thread of the test: sources have no built worker. */
export const schemasHere: Pick<SchemaChecker, "check"> = {
	check: async (schema, json) => performSchemaCheck({ schema, ...(json !== undefined && { json }) }),
};
