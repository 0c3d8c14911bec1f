import type { Transaction } from "kysely";
import type { WorkspaceTables } from "../workspace-tables";

/** Transaction on the rows of one workspace. */
export type WorkspaceTransaction = Transaction<WorkspaceTables>;
