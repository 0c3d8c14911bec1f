import { execFile } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Of a suite that hangs. */
const TIMEOUT_MS = 250_000;

export interface ConformanceReport {
	/** 0: all passed; with a baseline, what passed and failed is what it says. */
	readonly code: number;
	/** From the results on. */
	readonly summary: string;
}

/**
 * Runs the official conformance suite.
 *
 * @param version - 0.1 holds against the revisions up to 2025-11-25, 0.2 also against 2026-07-28.
 * @param baseline - of `baselines/`: what fails for a reason. It is no pass when something in it passes. Default: nothing.
 */
export function runConformance(
	version: "0.1" | "0.2",
	args: readonly string[],
	baseline?: string,
): Promise<ConformanceReport> {
	const suite = here(`node_modules/mcp-conformance-${version}/dist/index.js`);
	const expected = baseline === undefined ? [] : ["--expected-failures", here(`baselines/${baseline}.yml`)];
	const { PATH = "" } = process.env;
	const env = { PATH: `${dirname(process.execPath)}:${PATH}` };
	return new Promise((resolve) => {
		execFile(
			process.execPath,
			[suite, ...args, ...expected],
			{ cwd: here("programs"), env, timeout: TIMEOUT_MS, maxBuffer: 2 ** 26 },
			(error, stdout, stderr) => {
				const output = stripVTControlCharacters(`${stderr}\n${stdout}`);
				const at = output.search(/^(=== (SUITE )?SUMMARY ===|Test Results:)$/m);
				resolve({ code: Number(error?.code ?? 0), summary: at < 0 ? output : output.slice(at) });
			},
		);
	});
}
