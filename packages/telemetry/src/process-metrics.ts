import { writeGauge } from "./metric";

/** Parts of Node's `process` that are used; Bun and Deno have them too. */
interface Platform {
	readonly process?: { memoryUsage?(): { readonly rss: number; readonly heapUsed: number } };
}

/** The memory of this process; nothing where there is no process. */
export function writeProcessMetrics(): string {
	const memory = readMemory();
	if (memory === undefined) return "";
	return (
		writeGauge("process_resident_memory_bytes", "Resident memory of the process, in bytes.", [
			[{}, memory.rss],
		]) + writeGauge("process_heap_bytes", "Heap in use, in bytes.", [[{}, memory.heapUsed]])
	);
}

/** Deno may forbid to look, and stand-ins of Workers may not know. */
function readMemory(): { readonly rss: number; readonly heapUsed: number } | undefined {
	try {
		const memory = (globalThis as Platform).process?.memoryUsage?.();
		return memory !== undefined && memory.rss > 0 ? memory : undefined;
	} catch {
		return undefined;
	}
}
