import { spawn } from "node:child_process";

/** Program of Node that a test starts. */
export interface ProgramOptions {
	/** The script and its arguments. */
	readonly args: readonly string[];
	/** Besides what every process needs: nothing else of this one's environment is passed on. */
	readonly env?: Readonly<Record<string, string>>;
	readonly cwd?: string;
	/** Default: the Node that runs this. */
	readonly node?: string;
}

/** A process of Node that was started here. */
export interface Program {
	readonly name: string;
	/** What it wrote so far, to standard output and error. */
	output(): string;
	/** Standard output alone. */
	stdout(): string;
	/** Resolves once it has written this; fails when it ends before, or takes too long. */
	waitForOutput(pattern: RegExp): Promise<RegExpExecArray>;
	readonly ended: Promise<Ending>;
	kill(signal: NodeJS.Signals): void;
}

export interface Ending {
	readonly code: number | null;
	readonly signal: NodeJS.Signals | null;
}

const TIMEOUT_MS = 120_000;

export function startProgram({ args, env = {}, cwd, node = process.execPath }: ProgramOptions): Program {
	const { PATH = "" } = process.env;
	const child = spawn(node, [...args], {
		env: { PATH, ...env },
		stdio: ["ignore", "pipe", "pipe"],
		...(cwd === undefined ? {} : { cwd }),
	});
	const name = args.join(" ");
	let stdout = "";
	let output = "";
	let ending: Ending | undefined;
	const listeners = new Set<() => void>();
	const notifyListeners = (): void => {
		for (const listener of [...listeners]) listener();
	};
	child.stdout.on("data", (chunk) => {
		stdout += chunk;
		output += chunk;
		notifyListeners();
	});
	child.stderr.on("data", (chunk) => {
		output += chunk;
		notifyListeners();
	});
	const ended = new Promise<Ending>((resolve) => {
		child.on("error", (error) => {
			output += String(error);
		});
		child.on("close", (code, signal) => {
			ending = { code, signal };
			notifyListeners();
			resolve(ending);
		});
	});

	function waitForOutput(pattern: RegExp): Promise<RegExpExecArray> {
		return new Promise((resolve, reject) => {
			const fail = (why: string): void => {
				removeListener();
				reject(new Error(`"${name}" ${why} ${pattern}. It wrote:\n${output}`));
			};
			const timer = setTimeout(() => fail("did not say"), TIMEOUT_MS);
			const removeListener = (): void => {
				clearTimeout(timer);
				listeners.delete(look);
			};
			function look(): void {
				const found = pattern.exec(output);
				if (found === null) {
					if (ending !== undefined) fail(`ended with ${ending.code ?? ending.signal} before it said`);
					return;
				}
				removeListener();
				resolve(found);
			}
			listeners.add(look);
			look();
		});
	}

	return {
		name,
		output: () => output,
		stdout: () => stdout,
		waitForOutput,
		ended,
		kill: (signal) => void child.kill(signal),
	};
}
