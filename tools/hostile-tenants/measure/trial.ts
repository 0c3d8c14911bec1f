import { spawn } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type AttackerReport, type AttackerSettings, startAttacker } from "../attacker/attacker-process.ts";
import { healthOperation } from "./honest-tenant.ts";
import type { LimitedProcess } from "./limited-process.ts";
import { readCpuTimes, shareOfOthers } from "./machine.ts";
import { measureLoad, type Operation } from "./open-load.ts";
import { type SampleStats, type Samples, summarize } from "./samples.ts";

/** What is attacked, and who works on it honestly meanwhile. */
export interface TrialSubject {
	readonly process: LimitedProcess;
	readonly operations: readonly Operation[];
	readonly attacker: Pick<AttackerSettings, "kind" | "target">;
	/** Bytes on the disk; called now and then. */
	readonly readDiskBytes: () => Promise<number>;
}

export interface TrialOptions {
	readonly seconds: number;
	readonly idleSeconds: number;
	readonly seed: number;
	/** Requests and connections of all attacks together each second. */
	readonly perSecond: number;
	readonly attacks: readonly string[];
}

/** Times of one operation without and with attacks. */
export interface Comparison {
	readonly name: string;
	readonly idle: SampleStats;
	readonly attacked: SampleStats;
	/** Messages of what failed, at most ten. */
	readonly failures: readonly string[];
}

export interface TrialReport {
	readonly options: TrialOptions;
	readonly operations: readonly Comparison[];
	/** A server that does nothing, on the same machine. */
	readonly control: Comparison;
	/** Share (0 to 1) of the machine that processes besides the trial's took. */
	readonly others: { readonly idle: number; readonly attacked: number };
	readonly attacks: AttackerReport;
	readonly peakBytes: number | undefined;
	readonly disk: { readonly before: number; readonly peak: number; readonly after: number };
	/** How it ended while it was attacked; undefined where it stands. */
	readonly crash: string | undefined;
	/** The end of what it has written. */
	readonly output: string;
	/** Milliseconds from SIGTERM to its end, and how it ended. */
	readonly stop: { readonly ms: number; readonly ending: string };
}

const CONTROL = "control";
const STOP_MS = 60_000;

/** Measures the honest operations idle and then under attack, and stops what was attacked. */
export async function runTrial(subject: TrialSubject, options: TrialOptions): Promise<TrialReport> {
	const control = await startControl();
	const pids = [process.pid, subject.process.pid, control.pid];
	const operations = [...subject.operations, { ...healthOperation(control.url), name: CONTROL }];
	try {
		await measureLoad(operations, 2);
		const cpu = [readCpuTimes(pids)];
		const before = await subject.readDiskBytes();
		const idle = await measureLoad(operations, options.idleSeconds);
		cpu.push(readCpuTimes(pids));
		const { seconds, seed, perSecond, attacks } = options;
		const attacker = startAttacker({ ...subject.attacker, seconds: seconds + 1, seed, perSecond, attacks });
		pids.push(attacker.pid);
		const disk = watchDisk(subject.readDiskBytes);
		cpu.push(readCpuTimes(pids));
		const attacked = await measureLoad(operations, seconds);
		cpu.push(readCpuTimes(pids));
		const report = await attacker.report.finally(() => attacker.kill());
		const crash = subject.process.ending();
		const after = await subject.readDiskBytes();
		const compared = operations.map(({ name }) => compare(name, idle.get(name), attacked.get(name)));
		const peakBytes = subject.process.peakBytes();
		const stop = await stopProcess(subject.process);
		return {
			options,
			operations: compared.filter(({ name }) => name !== CONTROL),
			control: compared.find(({ name }) => name === CONTROL) ?? compare(CONTROL, undefined, undefined),
			others: { idle: share(cpu, 0), attacked: share(cpu, 2) },
			attacks: report,
			peakBytes,
			disk: { before, after, peak: Math.max(after, disk.end()) },
			crash,
			output: subject.process.output().slice(-5000),
			stop,
		};
	} finally {
		control.kill();
	}
}

const share = (cpu: readonly ReturnType<typeof readCpuTimes>[], at: number): number => {
	const [from, to] = [cpu[at], cpu[at + 1]];
	return from === undefined || to === undefined ? 0 : Math.round(shareOfOthers(from, to) * 100) / 100;
};

function compare(name: string, idle: Samples = NONE, attacked: Samples = NONE): Comparison {
	const failures = [...idle.failures, ...attacked.failures].slice(0, 10);
	return { name, idle: summarize(idle), attacked: summarize(attacked), failures };
}

const NONE: Samples = { times: [], failures: [] };

function watchDisk(read: () => Promise<number>): { end(): number } {
	let peak = 0;
	const timer = setInterval(() => void read().then((bytes) => (peak = Math.max(peak, bytes))), 5000);
	return {
		end() {
			clearInterval(timer);
			return peak;
		},
	};
}

async function stopProcess(subject: LimitedProcess): Promise<TrialReport["stop"]> {
	const from = performance.now();
	subject.kill("SIGTERM");
	const ending = await Promise.race([subject.ended, wait(STOP_MS, "still running", { ref: false })]);
	return { ms: Math.round(performance.now() - from), ending };
}

const program = fileURLToPath(new URL("control-server.ts", import.meta.url));

async function startControl(): Promise<{ readonly url: string; readonly pid: number; kill(): void }> {
	const child = spawn(process.execPath, ["--no-warnings", program], { stdio: ["ignore", "pipe", "inherit"] });
	const kill = (): void => void child.kill("SIGKILL");
	process.once("exit", kill);
	const url = await new Promise<string>((resolve, reject) => {
		child.stdout.once("data", (chunk) => resolve(String(chunk).trim()));
		child.once("close", () => reject(new Error("The control process ended.")));
	});
	return {
		url,
		pid: child.pid ?? 0,
		kill() {
			process.off("exit", kill);
			kill();
		},
	};
}
