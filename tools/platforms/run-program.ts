import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** Of a program that does not end by itself. */
const TIMEOUT_MS = 250_000;

export interface ProgramOutput {
	/** What it printed, which must be one JSON. */
	readonly outcome: unknown;
	readonly stderr: string;
}

/**
 * Runs a program of a platform to its own end, without what the environment of this process says.
 *
 * @throws Error when it fails, or does not end.
 */
export async function runProgram(
	binary: string,
	args: readonly string[],
	cwd: string,
	env: Readonly<Record<string, string>> = {},
): Promise<ProgramOutput> {
	const { stdout, stderr } = await execute(binary, [...args], { cwd, env, timeout: TIMEOUT_MS });
	return { outcome: JSON.parse(stdout), stderr };
}

/** A file of a package that is installed here. `undefined` where there is none for this machine. */
export function findInstalled(path: string): string | undefined {
	const file = fileURLToPath(new URL(`node_modules/${path}`, import.meta.url));
	return existsSync(file) ? file : undefined;
}
