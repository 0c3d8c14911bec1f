import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPackedConsumer, ISOMORPHIC, type PackedConsumer } from "../packed/packed-consumer";
import { findInstalled } from "./run-program";
import { RUNTIME_PROGRAMS, RUNTIME_WORKER } from "./runtime-programs";
import { EXPECTED_OF_RUNTIME, useRuntime } from "./runtime-scenario";

const folder = `${process.platform}-${process.arch}`;
const bunFolder = `bun-linux-${process.arch === "arm64" ? "aarch64" : process.arch}`;
const DENO = ["run", "--no-prompt", "--no-remote", "--node-modules-dir=manual", "--allow-net=127.0.0.1"];

/** Deno announces that it will change when signals of requests abort. */
const DENO_NOTE = /^Deno\.serve: request\.signal aborts on successful responses.*$/m;

interface Platform {
	readonly name: string;
	readonly binary: string | undefined;
	readonly args: readonly string[];
	readonly env?: Readonly<Record<string, string>>;
}

const onNode = (version: number, binary: string | undefined): Platform => ({
	name: `Node ${version}`,
	binary,
	args: ["runtime-node.mjs"],
});

const PLATFORMS: readonly Platform[] = [
	...[18, 20, 22].map((version) => onNode(version, findInstalled(`node${version}-${folder}/bin/node`))),
	onNode(24, process.execPath),
	{
		name: "Bun",
		binary: findInstalled(`@oven/${bunFolder}/bin/bun`),
		args: ["run", "--no-install", "runtime-bun.mjs"],
	},
	{
		name: "Deno",
		binary: findInstalled("@deno/linux-x64-glibc/deno"),
		args: [...DENO, "runtime-deno.mjs"],
		env: { DENO_DIR: ".deno", NO_COLOR: "1" },
	},
	{
		name: "workerd",
		binary: findInstalled("miniflare") && process.execPath,
		args: [fileURLToPath(new URL("workerd-server.mjs", import.meta.url)), "runtime-worker.js"],
	},
];

let consumer: PackedConsumer;
beforeAll(async () => {
	consumer = await createPackedConsumer([...ISOMORPHIC, "a2a-server", "runtime"]);
	const agents = fileURLToPath(new URL("runtime-agents.mjs", import.meta.url));
	await cp(agents, join(consumer.folder, "runtime-agents.mjs"));
	for (const [file, program] of Object.entries(RUNTIME_PROGRAMS)) await consumer.write(file, program);
	await build({
		stdin: { contents: RUNTIME_WORKER, resolveDir: consumer.folder },
		outfile: join(consumer.folder, "runtime-worker.js"),
		bundle: true,
		format: "esm",
		conditions: ["workerd", "worker", "browser", "import"],
		logLevel: "error",
	});
});
afterAll(() => consumer?.remove());

describe.each(PLATFORMS)("the packed runtime on $name", ({ binary, args, env = {} }) => {
	it.skipIf(binary === undefined)("serves agents, tools in code and approvals over a port", async () => {
		const child = spawn(binary ?? "", args, { cwd: consumer.folder, env });
		let stderr = "";
		child.stderr.on("data", (chunk) => {
			stderr += chunk;
		});
		try {
			const [port] = await once(child.stdout, "data");
			expect(await useRuntime(`http://127.0.0.1:${String(port).trim()}`)).toEqual(EXPECTED_OF_RUNTIME);
			expect(stderr.replace(DENO_NOTE, "").trim()).toBe("");
		} finally {
			child.stdin.end();
			await once(child, "close");
		}
	});
});
