import { type ChildProcess, spawn } from "node:child_process";
import { CLONE_ENVIRONMENT } from "../fresh-clone/clone";

/** Commands that a shell runs in a folder, as a reader of a README does. */
export interface ShellRun {
	/** Everything written so far, to standard output and error. */
	output(): string;
	/** Standard output so far. */
	stdout(): string;
	/** Resolves once the pattern is in the output; fails when the commands end before. */
	waitForOutput(pattern: RegExp): Promise<RegExpExecArray>;
	/** Resolves with the exit code. */
	readonly ended: Promise<number | null>;
	/** Ends the commands and all that they have started. */
	stop(): Promise<void>;
}

/** Starts commands in a shell of their own. */
export function startShell(folder: string, commands: string): ShellRun {
	const child = spawn("sh", ["-ec", commands], {
		cwd: folder,
		env: CLONE_ENVIRONMENT,
		// A group of its own: what the shell has started is ended with it.
		detached: true,
		stdio: ["ignore", "pipe", "pipe"],
	});
	const text = { output: "", stdout: "" };
	const onOutput = new Set<() => void>();
	child.stdout.on("data", (chunk) => {
		text.stdout += chunk;
	});
	for (const stream of [child.stdout, child.stderr])
		stream.on("data", (chunk) => {
			text.output += chunk;
			for (const look of onOutput) look();
		});
	const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
	return {
		output: () => text.output,
		stdout: () => text.stdout,
		ended,
		waitForOutput: (pattern) =>
			new Promise((resolve, reject) => {
				const look = (): void => {
					const found = pattern.exec(text.output);
					if (found !== null) resolve(found);
				};
				onOutput.add(look);
				look();
				void ended.then((code) =>
					reject(new Error(`It ended with ${code} before it wrote ${pattern}:\n${text.output}`)),
				);
			}),
		async stop() {
			endGroup(child, "SIGTERM");
			const timer = setTimeout(() => endGroup(child, "SIGKILL"), 10_000);
			await ended;
			clearTimeout(timer);
		},
	};
}

function endGroup({ pid, exitCode, signalCode }: ChildProcess, signal: NodeJS.Signals): void {
	if (pid === undefined || exitCode !== null || signalCode !== null) return;
	try {
		process.kill(-pid, signal);
	} catch {
		// It has ended just now.
	}
}
