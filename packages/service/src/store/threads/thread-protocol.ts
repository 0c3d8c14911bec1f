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
	| { readonly type: "job"; readonly job: string; readonly input: unknown }
	| { readonly type: "close" }
);

/** Several statements and jobs of one call each get an answer of their own. */
export type ThreadResponse =
	| { readonly callId: number; readonly value: unknown }
	| { readonly callId: number; readonly failure: ThreadFailure };

/** An error of the other thread, by its parts: classes do not survive the way. */
export interface ThreadFailure {
	readonly message: string;
	/** SQLite's primary result code (sqlite.org/rescode.html); 0 where the error is not SQLite's. */
	readonly sqliteCode: number;
	readonly stack?: string;
	/** Code and hint of an error that Stemma itself threw. */
	readonly details?: { readonly code: string; readonly hint: string };
}

export interface ExecuteResult {
	readonly rows: readonly SqlRow[];
	readonly changes: number;
	readonly insertId: bigint | undefined;
}
