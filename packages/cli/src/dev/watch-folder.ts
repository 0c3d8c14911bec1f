import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

const POLL_MS = 100;
/** Pause after a look, in times of what it took: one at a large folder takes at most a fifth of the time. */
const PAUSE_PER_READ = 4;

/**
 * Watches a folder and those below it by looking at them, as notifications of file systems get lost on network drives and in
 * containers. Changes while `onChange` runs are seen afterwards.
 *
 * @returns a function that stops.
 */
export async function watchFolder(folder: string, onChange: () => Promise<void>): Promise<() => void> {
	let state = await readState(folder);
	let timer: NodeJS.Timeout | undefined;
	let isStopped = false;

	async function look(): Promise<void> {
		const startedAt = performance.now();
		const next = await readState(folder);
		const readMs = performance.now() - startedAt;
		if (next !== state && !isStopped) {
			state = next;
			await onChange();
		}
		schedule(Math.max(POLL_MS, readMs * PAUSE_PER_READ));
	}

	function schedule(pauseMs: number): void {
		if (!isStopped) timer = setTimeout(() => void look(), pauseMs);
	}

	schedule(POLL_MS);
	return () => {
		isStopped = true;
		clearTimeout(timer);
	};
}

/** Text that differs after every change: names, times and sizes of all files. */
async function readState(folder: string): Promise<string> {
	const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
	const states = await Promise.all(
		entries
			.filter(({ name }) => !name.startsWith(".") && name !== "node_modules")
			.map(async (entry) => {
				const path = join(folder, entry.name);
				if (entry.isDirectory()) return `${path}/\n${await readState(path)}`;
				const found = await stat(path).catch(() => undefined);
				return found === undefined ? "" : `${path}:${found.ino}:${found.mtimeMs}:${found.size}`;
			}),
	);
	return states.join("\n");
}
