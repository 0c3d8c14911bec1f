import { PerformanceObserver } from "node:perf_hooks";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

const MEBIBYTE = 1024 * 1024;
/** Size from which the space does not grow. V8 has no option for a process that runs; its own limit is 16 times as much. */
const MAX_YOUNG_SPACE_BYTES = 8 * MEBIBYTE;

/**
 * Keeps V8's space for young objects of the main thread small from now on. Under load it would grow to 128 MiB, which a
 * server fills with garbage before it collects any. A space that V8 has shrunk grows again.
 */
export function limitYoungSpace(): void {
	const observer = new PerformanceObserver(() => {
		// Set each time: a new thread sets it back.
		const factor = readYoungSpaceBytes() < MAX_YOUNG_SPACE_BYTES ? 2 : 1;
		setFlagsFromString(`--semi-space-growth-factor=${factor}`);
	});
	observer.observe({ entryTypes: ["gc"] });
}

const readYoungSpaceBytes = (): number =>
	getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space")?.space_size ?? 0;
