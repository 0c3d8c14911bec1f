import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The built command line. */
export const main = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

export interface CommandOutput {
	readonly code: number | null;
	readonly stdout: string;
	readonly stderr: string;
}

/** A folder to run the built command line in. */
export interface TestCli {
	readonly folder: string;
	/** Starts a command that does not end by itself. */
	start(args: readonly string[], environment?: Readonly<Record<string, string>>): ChildProcess;
	/** Runs a command to its end, with nothing to read. */
	stemma(...args: readonly string[]): Promise<CommandOutput>;
	/** Removes the folder, and ends what still runs. */
	close(): Promise<void>;
}

export async function createTestCli(): Promise<TestCli> {
	const folder = await mkdtemp(join(tmpdir(), "stemma-cli-"));
	const started: ChildProcess[] = [];
	const start: TestCli["start"] = (args, environment = {}) => {
		const child = spawn(process.execPath, [main, ...args], {
			cwd: folder,
			env: { ...withoutStemma(process.env), NO_COLOR: "1", ...environment },
		});
		started.push(child);
		return child;
	};
	return {
		folder,
		start,
		stemma(...args) {
			const child = start(args);
			child.stdin?.end();
			return waitForExit(child);
		},
		async close() {
			// What a test that failed has left over.
			for (const child of started) if (child.exitCode === null) child.kill("SIGKILL");
			await rm(folder, { recursive: true, force: true });
		},
	};
}

/** What is set on this machine is not for tests. */
const withoutStemma = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
	Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith("STEMMA_")));

/** Waits for a command to end. */
export function waitForExit(child: ChildProcess): Promise<CommandOutput> {
	let stdout = "";
	let stderr = "";
	child.stdout?.on("data", (chunk) => (stdout += chunk));
	child.stderr?.on("data", (chunk) => (stderr += chunk));
	return new Promise((resolve) => child.on("close", (code) => resolve({ code, stdout, stderr })));
}

/** Waits until a command has said something on standard error; gives the match. */
export function waitForOutput(child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
	let output = "";
	return new Promise((resolve, reject) => {
		child.stderr?.on("data", (chunk) => {
			output += chunk;
			const match = pattern.exec(output);
			if (match !== null) resolve(match);
		});
		child.on("close", () => reject(new Error(`It ended before it said ${pattern}: ${output}`)));
	});
}
