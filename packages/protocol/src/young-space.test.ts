import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const MODULE = new URL("./young-space.ts", import.meta.url).href;
/** Program that lets many young objects survive, in turns, and prints the size of their space in MiB. */
const program = (start: string): string => `
	const { limitYoungSpace } = await import(${JSON.stringify(MODULE)});
	${start}
	let survivors = [];
	for (let turn = 0; turn < 60; turn++) {
		for (let index = 0; index < 30_000; index++) {
			survivors.push({ index });
			if (survivors.length > 60_000) survivors = survivors.slice(40_000);
		}
		await new Promise((resolve) => setImmediate(resolve));
	}
	const { getHeapSpaceStatistics } = await import("node:v8");
	const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space");
	console.log(space.space_size / 1024 / 1024);
`;

async function measure(start: string): Promise<number> {
	const code = ["--experimental-strip-types", "--no-warnings", "--input-type=module", "-e", program(start)];
	const { stdout } = await promisify(execFile)(process.execPath, code);
	return Number(stdout);
}

describe("the space for young objects", () => {
	it("stays small once it is limited, also where a thread starts later", async () => {
		const startThread = `const { Worker } = await import("node:worker_threads");
			new Worker("setInterval(() => undefined, 1000)", { eval: true }).unref();`;
		expect(await measure("limitYoungSpace();")).toBeLessThanOrEqual(16);
		expect(await measure(`limitYoungSpace(); ${startThread}`)).toBeLessThanOrEqual(16);
	});
});
