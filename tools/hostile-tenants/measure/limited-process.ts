import { spawn } from "node:child_process";
import { readResidentBytes } from "./machine.ts";
import type { MemoryLimit } from "./memory-limit.ts";

/** A process that was started within a memory limit. */
export interface LimitedProcess {
	readonly pid: number;
	/** Resolves with the match once the output has it; rejects when the process ends before. */
	waitForOutput(pattern: RegExp): Promise<RegExpExecArray>;
	output(): string;
	/** How it ended; undefined while it runs. */
	ending(): string | undefined;
	readonly ended: Promise<string>;
	/** Most resident memory so far, in bytes; undefined where the system does not say. */
	peakBytes(): number | undefined;
	kill(signal: NodeJS.Signals): void;
}

export interface LimitedProcessOptions {
	readonly args: readonly string[];
	readonly env: Readonly<Record<string, string>>;
	readonly limit: MemoryLimit;
}

/** Characters of output that are kept: what a flood of log lines says at its end. */
const MAX_OUTPUT = 200_000;

export function startLimitedProcess({ args, env, limit }: LimitedProcessOptions): LimitedProcess {
	const wrapped = limit.wrap(process.execPath, args);
	const { PATH = "" } = process.env;
	const child = spawn(wrapped.command, wrapped.args, {
		env: { PATH, ...env },
		stdio: ["ignore", "pipe", "pipe"],
	});
	const { pid = 0 } = child;
	let output = "";
	let peak: number | undefined;
	let ending: string | undefined;
	const listeners = new Set<() => void>();
	const onOutput = (chunk: Buffer): void => {
		output = `${output}${chunk}`.slice(-MAX_OUTPUT);
		for (const listener of [...listeners]) listener();
	};
	child.stdout.on("data", onOutput);
	child.stderr.on("data", onOutput);
	const killWithThis = (): void => void child.kill("SIGKILL");
	process.once("exit", killWithThis);
	const sampling = setInterval(() => {
		peak = readResidentBytes(pid)?.peak ?? peak;
	}, 250);
	const ended = new Promise<string>((resolve) => {
		child.once("close", (code, signal) => {
			clearInterval(sampling);
			process.off("exit", killWithThis);
			ending = signal ?? `code ${code}`;
			for (const listener of [...listeners]) listener();
			resolve(ending);
		});
	});
	return {
		pid,
		ended,
		output: () => output,
		ending: () => ending,
		peakBytes: () => peak,
		kill: (signal) => void child.kill(signal),
		waitForOutput: (pattern) =>
			new Promise((resolve, reject) => {
				const look = (): void => {
					const found = pattern.exec(output);
					if (found === null && ending === undefined) return;
					listeners.delete(look);
					if (found === null)
						reject(new Error(`The process ended (${ending}) before it said ${pattern}: ${output}`));
					else resolve(found);
				};
				listeners.add(look);
				look();
			}),
	};
}
