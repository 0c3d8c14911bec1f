export interface AffectedTests {
	readonly total: number;
	readonly files: readonly string[];
	record(report: {
		readonly testResults: readonly { readonly name: string; readonly status: string }[];
	}): void;
}
export declare function findAffectedTests(): AffectedTests;
export declare function listQuickTests(): string[];
