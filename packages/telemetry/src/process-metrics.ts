import { Counter, writeGauge } from "./metric";

/** Parts of Node's `process` that are used; Bun and Deno have them too. */
interface Platform {
	readonly process?: {
		memoryUsage?(): { readonly rss: number; readonly heapUsed: number };
		/** Microseconds. */
		cpuUsage?(): { readonly user: number; readonly system: number };
		/** Seconds. */
		uptime?(): number;
	};
}

const MICROSECONDS = 1e6;

/** The memory, processor time and start of this process; nothing where there is no process. */
export function writeProcessMetrics(): string {
	const { process } = globalThis as Platform;
	const memory = readOrNothing(() => process?.memoryUsage?.());
	if (memory === undefined || memory.rss <= 0) return "";
	const cpu = readOrNothing(() => process?.cpuUsage?.());
	const uptime = readOrNothing(() => process?.uptime?.());
	return [
		writeGauge("process_resident_memory_bytes", "Resident memory of the process, in bytes.", [
			[{}, memory.rss],
		]),
		writeGauge("process_heap_bytes", "Heap in use, in bytes.", [[{}, memory.heapUsed]]),
		cpu && writeCpu((cpu.user + cpu.system) / MICROSECONDS),
		uptime &&
			writeGauge("process_start_time_seconds", "Start of the process, in seconds since 1970.", [
				[{}, Date.now() / 1000 - uptime],
			]),
	].join("");
}

function writeCpu(seconds: number): string {
	const counter = new Counter("process_cpu_seconds_total", "Processor time of the process, in seconds.");
	counter.add({}, seconds);
	return counter.write();
}

/** Deno may forbid to look, and stand-ins of Workers may not know. */
function readOrNothing<Value>(read: () => Value | undefined): Value | undefined {
	try {
		return read();
	} catch {
		return undefined;
	}
}
