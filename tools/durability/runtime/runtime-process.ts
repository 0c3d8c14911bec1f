import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { findStablePort } from "@stemma/simulators/processes";
import type { Credentials } from "../../end-to-end/servers.ts";

/** `stemma-runtime` as a process of its own. */
export interface RuntimeProcess {
	readonly url: string;
	/** Its standard error. */
	output(): string;
	kill(signal: NodeJS.Signals): void;
	readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
	/** Megabytes of memory that it has now; undefined where the system does not tell. */
	residentMegabytes(): Promise<number | undefined>;
	/** What was left on its heap after each of the collections so far that look at all of it. */
	readonly liveHeaps: readonly LiveHeap[];
}

export interface LiveHeap {
	/** Of {@link performance.now}. */
	readonly at: number;
	readonly megabytes: number;
}

export interface RuntimeProcessOptions {
	/** A folder. */
	readonly agents: string;
	/** An address. */
	readonly service: string;
	readonly credentials: Pick<Credentials, "client_id" | "client_secret">;
	readonly graceMs?: number | undefined;
	readonly env?: Readonly<Record<string, string>>;
}

const main = fileURLToPath(new URL("../../../packages/runtime/dist/main.js", import.meta.url));

/** Little enough to be collected often, and to end the process where something is never let go. */
const HEAP = ["--max-old-space-size=128", "--trace-gc"];
const COLLECTION = /Mark-Compact.* -> ([\d.]+) \(/;

/** Resolves once it listens. */
export async function startRuntimeProcess(options: RuntimeProcessOptions): Promise<RuntimeProcess> {
	const { agents, service, credentials, graceMs, env = {} } = options;
	const grace = graceMs === undefined ? [] : ["--grace-ms", String(graceMs)];
	const port = String(await findStablePort());
	const child = spawn(process.execPath, [...HEAP, main, agents, "--port", port, ...grace], {
		stdio: ["ignore", "pipe", "pipe"],
		env: {
			PATH: process.env.PATH,
			STEMMA_BASE_URL: service,
			STEMMA_CLIENT_ID: credentials.client_id,
			STEMMA_CLIENT_SECRET: credentials.client_secret,
			...env,
		},
	});
	const killWithThis = (): void => void child.kill("SIGKILL");
	process.once("exit", killWithThis);
	const liveHeaps: LiveHeap[] = [];
	createInterface(child.stdout).on("line", (line) => {
		const [, megabytes] = COLLECTION.exec(line) ?? [];
		if (megabytes !== undefined) liveHeaps.push({ at: performance.now(), megabytes: Number(megabytes) });
	});
	let output = "";
	const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
		child.once("close", (code, signal) => {
			process.off("exit", killWithThis);
			resolve({ code, signal });
		});
	});
	const url = await new Promise<string>((resolve, reject) => {
		child.stderr.on("data", (chunk) => {
			output += chunk;
			const [, address] = /listens on (http:\/\/[^\s.]+(?:\.\d+)*:\d+)/.exec(output) ?? [];
			if (address !== undefined) resolve(address);
		});
		void ended.then(() => reject(new Error(`The runtime ended before it listened: ${output}`)));
	});
	return {
		url,
		ended,
		liveHeaps,
		output: () => output,
		kill: (signal) => void child.kill(signal),
		residentMegabytes: () => readResidentMegabytes(child.pid),
	};
}

async function readResidentMegabytes(pid: number | undefined): Promise<number | undefined> {
	const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
	const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
	return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
}
