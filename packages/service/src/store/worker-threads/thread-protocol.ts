import type { JobInput, JobName } from "../jobs";
import type { ThreadFailure } from "../storage-error";

/** Value that a statement may be given, and that a column may hold. */
export type SqlValue = string | number | bigint | null | Uint8Array;

/** One column by name, for each row. */
export type SqlRow = Record<string, unknown>;

/** Request of the main thread to a database thread. */
export type ThreadRequest = { readonly callId: number; readonly file: string } & (
	| {
			readonly type: "open";
			readonly migrations: readonly string[];
			readonly mustExist: boolean;
			readonly readOnly: boolean;
	  }
	| { readonly type: "execute"; readonly sql: string; readonly parameters: readonly SqlValue[] }
	| { readonly type: "job"; readonly job: JobName; readonly input: JobInput<JobName> }
	| { readonly type: "close" }
);

/** Several statements and jobs of one call each get an answer of their own. */
export type ThreadResponse =
	| { readonly callId: number; readonly value: unknown }
	| { readonly callId: number; readonly failure: ThreadFailure };

export interface ExecuteResult {
	readonly rows: readonly SqlRow[];
	readonly changes: number;
	readonly insertId: bigint | undefined;
}
