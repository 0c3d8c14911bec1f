import type { Transaction } from "kysely";
import type { WorkspaceTables } from "../workspace-tables";

/**
 * Work that runs whole in one transaction of a workspace: the counterpart of a job of `store/jobs.ts`, with the same
 * input, output and errors. Runs again from its start where the database asks for it, so it changes nothing elsewhere.
 */
export type PostgresJob<Input, Output> = (
	transaction: Transaction<WorkspaceTables>,
	input: Input,
) => Promise<Output>;
