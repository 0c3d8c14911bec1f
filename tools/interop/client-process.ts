import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { toProgram } from "./peers";

/** A client of official parts, in a process of its own, that does as it is told. */
export interface ClientProcess {
	/** @throws ClientProcessError when its part fails. */
	run<Result>(command: string, params?: object): Promise<Result>;
	end(): Promise<void>;
}

/** What an official part fails with. */
export class ClientProcessError extends Error {
	constructor(readonly details: Readonly<Record<string, unknown>>) {
		super(String(details.message));
	}
}

interface Answer {
	readonly id: number;
	readonly result?: unknown;
	readonly error?: Readonly<Record<string, unknown>>;
}

export function startClientProcess(name: string): ClientProcess {
	const { PATH = "" } = process.env;
	const child = spawn(process.execPath, [toProgram(name)], {
		env: { PATH },
		stdio: ["pipe", "pipe", "pipe"],
	});
	let errorOutput = "";
	child.stderr.on("data", (chunk) => {
		errorOutput += chunk;
	});
	const waiting = new Map<number, (answer: Answer) => void>();
	let last = 0;
	const ended = new Promise<void>((resolve) => {
		child.once("close", () => {
			for (const [id, settle] of waiting)
				settle({ id, error: { message: `"${name}" has ended. ${errorOutput}` } });
			resolve();
		});
	});
	createInterface({ input: child.stdout }).on("line", (line) => {
		const answer: Answer = JSON.parse(line);
		waiting.get(answer.id)?.(answer);
		waiting.delete(answer.id);
	});
	return {
		run<Result>(command: string, params?: object) {
			last += 1;
			const id = last;
			return new Promise<Result>((resolve, reject) => {
				waiting.set(id, ({ result, error }) => {
					if (error === undefined) resolve(result as Result);
					else reject(new ClientProcessError(error));
				});
				child.stdin.write(`${JSON.stringify({ id, command, params })}\n`);
			});
		},
		async end() {
			child.stdin.end();
			await ended;
		},
	};
}
