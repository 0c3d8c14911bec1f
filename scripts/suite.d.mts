export function runSuite(options: {
	name: string;
	args: readonly string[];
	folder: string;
	untilQuiet: () => Promise<unknown>;
}): Promise<{ passed: number; failed: number; skipped: string[]; flaky: string[] }>;
