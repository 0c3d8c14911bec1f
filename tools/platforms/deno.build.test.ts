import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Backends, expectedOfProgram, startBackends } from "../packed/backends";
import { createPackedConsumer, type PackedConsumer } from "../packed/packed-consumer";
import { writePrograms } from "../packed/programs";
import { findInstalled, runProgram } from "./run-program";

const deno = findInstalled("@deno/linux-x64-glibc/deno");

/** The network of this machine, and no look at the environment. */
const ALLOWED = ["--no-prompt", "--no-remote", "--node-modules-dir=manual", "--allow-net=127.0.0.1"];

describe.skipIf(deno === undefined)("the packed packages on Deno", () => {
	let consumer: PackedConsumer;
	let backends: Backends;
	beforeAll(async () => {
		[consumer, backends] = await Promise.all([createPackedConsumer(), startBackends()]);
		await writePrograms(consumer);
	});
	afterAll(async () => {
		await backends?.close();
		await consumer?.remove();
	});

	it.concurrent.each([
		["all.mjs", ["--allow-read=page.md"]],
		["all.cjs", ["--allow-read=."]],
	])("run graphs, ask models and use a service: %s", async (program, allowed) => {
		const args = ["run", ...ALLOWED, ...allowed, program, JSON.stringify(backends.settings)];
		const env = { DENO_DIR: join(consumer.folder, ".deno"), NO_COLOR: "1" };
		expect(await runProgram(deno ?? "", args, consumer.folder, env)).toEqual({
			outcome: { platform: "Deno 2.9.6", ...expectedOfProgram },
			stderr: "",
		});
	});
});
