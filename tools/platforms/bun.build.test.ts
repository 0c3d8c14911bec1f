import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Backends, expectedOfProgram, startBackends } from "../packed/backends";
import { createPackedConsumer, type PackedConsumer } from "../packed/packed-consumer";
import { writePrograms } from "../packed/programs";
import { findInstalled, runProgram } from "./run-program";

const bun = findInstalled(`@oven/bun-linux-${process.arch === "arm64" ? "aarch64" : process.arch}/bin/bun`);

describe.skipIf(bun === undefined)("the packed packages on Bun", () => {
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

	it.concurrent.each(["all.mjs", "all.cjs"])(
		"run graphs, ask models and use a service: %s",
		async (program) => {
			const args = ["run", "--no-install", program, JSON.stringify(backends.settings)];
			expect(await runProgram(bun ?? "", args, consumer.folder)).toEqual({
				outcome: { platform: "Bun 1.4.5", ...expectedOfProgram },
				stderr: "",
			});
		},
	);
});
