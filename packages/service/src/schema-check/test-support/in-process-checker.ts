import { performSchemaCheck } from "../schema-check-task";
import type { WorkspaceSchemaChecker } from "../schema-checker";

/** Checks in the thread of the test: sources have no built worker. */
export const inProcessSchemaChecker: WorkspaceSchemaChecker = {
	check: async (schema, json) => performSchemaCheck({ schema, ...(json !== undefined && { json }) }),
};
