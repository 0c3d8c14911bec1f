import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Backends, expectedOfAll, startBackends } from "../packed/backends";
import { createPackedConsumer, type PackedConsumer } from "../packed/packed-consumer";
import { WORKER } from "../packed/programs";
import { expectedOfServer } from "../packed/scenarios/server-scenario.mjs";
import { findInstalled, runProgram } from "./run-program";

describe.skipIf(findInstalled("miniflare") === undefined)("the packed packages on workerd", () => {
	let consumer: PackedConsumer;
	let backends: Backends;
	beforeAll(async () => {
		[consumer, backends] = await Promise.all([createPackedConsumer(), startBackends()]);
	});
	afterAll(async () => {
		await backends?.close();
		await consumer?.remove();
	});

	it("run graphs, ask models and use a service, without what Node has", async () => {
		const bundle = join(consumer.folder, "worker.js");
		await build({
			stdin: { contents: WORKER, resolveDir: consumer.folder },
			outfile: bundle,
			bundle: true,
			format: "esm",
			conditions: ["workerd", "worker", "browser", "import"],
			logLevel: "error",
		});
		const program = fileURLToPath(new URL("workerd.mjs", import.meta.url));
		const args = [program, bundle, JSON.stringify(backends.settings)];
		expect(await runProgram(process.execPath, args, consumer.folder)).toEqual({
			outcome: { platform: "Cloudflare-Workers", ...expectedOfAll, server: expectedOfServer },
			stderr: "",
		});
	});
});
