import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ingestHandbook, QUESTION } from "../end-to-end/handbook";
import { createScene } from "../end-to-end/scene";
import { type ServiceProcess, startService } from "../end-to-end/servers";
import { startCommanded } from "./commanded";
import { isInstalled, type Peer, startPeer } from "./peers";

const root = fileURLToPath(new URL("../..", import.meta.url));
const main = join(root, "packages/cli/dist/main.js");
const scene = createScene();
afterAll(() => scene.end());

interface Entry {
	readonly command: string;
	readonly args: readonly string[];
	readonly env: Readonly<Record<string, string>>;
}

describe.skipIf(!isInstalled)("stemma mcp stdio, as a desktop assistant starts it", () => {
	let service: ServiceProcess;
	beforeAll(async () => {
		service = await startService(scene);
		await ingestHandbook(service.stemma);
	});

	/** The entry of the example, with this service in it, and what was built in place of what is on npm. */
	function readEntry(): Entry {
		const file = join(root, "examples/mcp-tools/desktop-assistant.json");
		const { mcpServers } = JSON.parse(readFileSync(file, "utf8"));
		const { command, args, env }: Entry = mcpServers.stemma;
		expect([command, args[0], Object.keys(env)]).toEqual([
			"npx",
			"stemma",
			["STEMMA_BASE_URL", "STEMMA_CLIENT_ID", "STEMMA_CLIENT_SECRET"],
		]);
		const { client_id, client_secret } = service.credentials;
		return {
			command: process.execPath,
			args: [main, ...args.slice(1)],
			env: {
				STEMMA_BASE_URL: service.url,
				STEMMA_CLIENT_ID: client_id,
				STEMMA_CLIENT_SECRET: client_secret,
			},
		};
	}

	it.each([{ sdk: 1 }, { sdk: 2, mode: "legacy" }, { sdk: 2, mode: "auto" }])(
		"serves an official client: %j",
		async (how) => {
			const client = startCommanded("mcp-stdio-client");
			await client.run("connect", { entry: readEntry(), ...how });
			const { tools } = await client.run<{ readonly tools: readonly { readonly name: string }[] }>(
				"listTools",
			);
			expect(tools.map(({ name }) => name)).toEqual([
				"search",
				"fetch",
				"ask",
				"list_knowledge_bases",
				"list_documents",
			]);
			const found = await client.run("callTool", { name: "search", arguments: { query: QUESTION } });
			expect(found).toMatchObject({ structuredContent: { passages: expect.any(Array) } });
			await client.run("close");
			await client.end();
		},
	);

	it("says what is missing where there are no credentials", async () => {
		const cwd = await scene.folder();
		const failed = await promisify(execFile)(process.execPath, [main, "mcp", "stdio"], {
			cwd,
			env: {},
		}).catch((error) => error);
		expect(failed).toMatchObject({ code: 1, stdout: "" });
		expect(failed.stderr).toContain("STEMMA_CLIENT_ID");
	});
});

describe.skipIf(!isInstalled)("stemma mcp types, against an official server", () => {
	let peer: Peer;
	let cwd: string;
	beforeAll(async () => {
		peer = await startPeer(scene, "mcp-server-v2");
		cwd = await scene.folder();
	});

	const run = async (...args: readonly string[]) => {
		const { PATH = "" } = process.env;
		const how = { cwd, env: { PATH } };
		try {
			return {
				code: 0,
				...(await promisify(execFile)(process.execPath, [main, "mcp", "types", ...args], how)),
			};
		} catch (error) {
			return error as { readonly code: number; readonly stdout: string; readonly stderr: string };
		}
	};

	it.each(["both", "modern"])("writes types and a lock, and checks them: /%s", async (path) => {
		const out = `${path}.tools.ts`;
		const url = `${peer.url}/${path}`;
		expect(await run(url, "--out", out)).toMatchObject({
			code: 0,
			stdout: expect.stringMatching(/^official-v2 \(MCP 2026-07-28\) has \d+ tools\.\nWrote /),
		});
		const types = readFileSync(join(cwd, out), "utf8");
		expect(types).toContain("export type AddArguments = {\n\treadonly a: number;\n\treadonly b: number;\n};");
		expect(types).toContain("export type AddResult = {\n\treadonly sum: number;\n};");
		expect(await run(url, "--out", out, "--check")).toMatchObject({ code: 0 });

		const lockFile = join(cwd, `${path}.tools.lock.json`);
		const lock = JSON.parse(readFileSync(lockFile, "utf8"));
		const { fail: _, ...others } = lock.tools;
		const changed = { ...lock, tools: { ...others, gone: {}, add: { ...lock.tools.add, description: "0" } } };
		writeFileSync(lockFile, JSON.stringify(changed));
		expect(await run(url, "--out", out, "--check")).toMatchObject({
			code: 1,
			stdout: [
				`The server has changed its tools since ${path}.tools.lock.json was written:`,
				"  add has changed: description is another",
				"  gone is gone",
				"  fail is new",
				"",
			].join("\n"),
		});
	});

	it("refuses a token on the command line, and says where it goes", async () => {
		const refused = await run(`${peer.url}/both`, "--token", "a-secret-of-mine");
		expect(refused.code).toBe(1);
		expect(refused.stderr).toContain("--token-stdin");
		expect(refused.stderr).not.toContain("a-secret-of-mine");
	});
});
