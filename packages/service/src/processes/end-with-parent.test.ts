import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, expect, it } from "vitest";
import { isRunning } from "./test-support/list-children";

let started = 0;
afterEach(() => {
	if (started > 0 && isRunning(started)) process.kill(started, "SIGKILL");
});

it.skipIf(process.platform !== "linux")(
	"ends a process that is busy for ever when its parent is killed",
	async () => {
		const script = fileURLToPath(new URL("./test-support/start-loop.mjs", import.meta.url));
		const parent = spawn(process.execPath, [script], { stdio: ["ignore", "pipe", "inherit"] });
		const [line] = await once(parent.stdout, "data");
		started = Number(line);
		const countThreads = () =>
			Number(/^Threads:\s*(\d+)/mu.exec(readFileSync(`/proc/${started}/status`, "utf8"))?.[1]);
		const countSeconds = () => Number(readFileSync(`/proc/${started}/stat`, "utf8").split(" ")[13]) / 100;
		// It is in its loop by then, with the thread that watches.
		await expect.poll(countSeconds, { timeout: 60_000 }).toBeGreaterThan(1);
		expect(countThreads()).toBeGreaterThan(1);
		parent.kill("SIGKILL");
		await once(parent, "exit");
		await expect.poll(() => isRunning(started), { timeout: 60_000 }).toBe(false);
	},
);
