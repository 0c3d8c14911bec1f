import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createMcpClient, type McpLock } from "@stemma/client/mcp";
import { createHarness } from "@stemma/simulators/processes";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ingestHandbook, QUESTION } from "../end-to-end/handbook";
import { type ServiceProcess, startService } from "../end-to-end/servers";
import { startClientProcess } from "./client-process";
import { isInstalled, type Peer, startPeer } from "./peers";

const root = fileURLToPath(new URL("../..", import.meta.url));
const main = join(root, "packages/cli/dist/main.js");
const harness = createHarness();
afterAll(() => harness.end());

interface Entry {
	readonly command: string;
	readonly args: readonly string[];
	readonly env: Readonly<Record<string, string>>;
}

describe.skipIf(!isInstalled)("stemma mcp stdio, as a desktop assistant starts it", () => {
	let service: ServiceProcess;
	beforeAll(async () => {
		service = await startService(harness);
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
			const client = startClientProcess("mcp-stdio-client");
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
		const cwd = await harness.folder();
		const failed = await promisify(execFile)(process.execPath, [main, "mcp", "stdio"], {
			cwd,
			env: {},
		}).catch((error) => error);
		expect(failed).toMatchObject({ code: 1, stdout: "" });
		expect(failed.stderr).toContain("STEMMA_CLIENT_ID");
	});
});

/** Runs `stemma mcp types` to its end. */
async function runTypes(
	{ cwd, env = {} }: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
	...args: readonly string[]
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
	const { PATH = "" } = process.env;
	const how = { cwd, env: { PATH, NO_COLOR: "1", ...env } };
	const outcome = promisify(execFile)(process.execPath, [main, "mcp", "types", ...args], how);
	return outcome.then(
		(done) => ({ code: 0, ...done }),
		(error) => error,
	);
}

describe.skipIf(!isInstalled)("stemma mcp types, against an official server", () => {
	let peer: Peer;
	let cwd: string;
	beforeAll(async () => {
		peer = await startPeer(harness, "mcp-server-v2");
		cwd = await harness.folder();
	});

	const run = (...args: readonly string[]) => runTypes({ cwd }, ...args);

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
				"  add has changed: description is different",
				"  gone was removed",
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

describe("stemma mcp types, against a service", () => {
	let service: ServiceProcess;
	let named: Readonly<Record<string, string>>;
	beforeAll(async () => {
		service = await startService(harness);
		const { client_id, client_secret } = service.credentials;
		named = {
			STEMMA_BASE_URL: service.url,
			STEMMA_CLIENT_ID: client_id,
			STEMMA_CLIENT_SECRET: client_secret,
		};
	});

	it.each(["variables", "--data", "the usual folder"])("logs in by %s", async (how) => {
		const [cwd, data] = [await harness.folder(), how === "--data" ? ["--data", service.data] : []];
		const env = how === "variables" ? named : how === "--data" ? {} : { STEMMA_DATA_FOLDER: service.data };
		const outcome = await runTypes({ cwd, env }, `${service.url}/mcp`, "--out", "own.ts", ...data);
		expect(outcome).toMatchObject({
			code: 0,
			stdout: expect.stringMatching(/^\S+ \(MCP 2026-07-28\) has 5 tools\.\nWrote own\.ts/),
			stderr: "",
		});
	});

	it("says which credentials were refused, and repeats none", async () => {
		const env = { ...named, STEMMA_CLIENT_SECRET: "cs_a-wrong-secret" };
		const { code, stderr } = await runTypes({ cwd: await harness.folder(), env }, `${service.url}/mcp`);
		expect(code).toBe(1);
		expect(stderr).toMatch(/^error: The service refuses the credentials: /);
		expect(stderr).toContain("They are from STEMMA_CLIENT_ID and STEMMA_CLIENT_SECRET.");
		expect(stderr).not.toContain("a-wrong-secret");
	});

	it("asks for a token where it has no credentials", async () => {
		const outcome = await runTypes({ cwd: await harness.folder() }, `${service.url}/mcp`);
		expect(outcome).toMatchObject({
			code: 1,
			stderr: `error: The MCP server at ${service.url}/mcp requires a token.\nhint:  Pass a token with --token-env <name> or --token-stdin.\n`,
		});
	});

	it("shows its credentials to no other server", async () => {
		const seen: IncomingHttpHeaders[] = [];
		const other = createServer((request, response) => {
			seen.push(request.headers);
			response.writeHead(401).end();
		});
		await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
		const { port } = other.address() as AddressInfo;
		const [cwd, url] = [await harness.folder(), `http://127.0.0.1:${port}/mcp`];
		try {
			const { stderr } = await runTypes({ cwd, env: named }, url);
			expect(stderr).toContain("Pass a token with --token-env <name> or --token-stdin.");
			expect(seen.length).toBeGreaterThan(0);
			for (const headers of seen) expect(headers).not.toHaveProperty("authorization");
			seen.splice(0);
			const refused = await runTypes({ cwd }, url, "--data", service.data);
			expect(refused.stderr).toContain(
				`The service's MCP server is at ${service.url}/mcp, and its credentials are sent only there.`,
			);
			expect(seen).toEqual([]);
		} finally {
			other.close();
		}
	});
});

describe("stemma mcp types, against the server of the example", () => {
	const TOKEN = "a-token-of-mine";
	let url: string;
	let cwd: string;
	beforeAll(async () => {
		const file = join(root, "examples/mcp-tools/order-server.mjs");
		const program = harness.start({ args: [file, "--port", "0", "--token", TOKEN] });
		[, url = ""] = await program.waitForOutput(/listens on (http:\/\/127\.0\.0\.1:\d+\/mcp)\n/);
		cwd = await harness.folder();
	});

	const run = (token: string | undefined, ...args: readonly string[]) =>
		runTypes(
			{ cwd, ...(token !== undefined && { env: { ORDERS_TOKEN: token } }) },
			...args,
			...(token === undefined ? [] : ["--token-env", "ORDERS_TOKEN"]),
		);

	it("writes files that a program compiles with as they are, and runs with", async () => {
		expect(await run(TOKEN, url, "--out", "orders.tools.ts")).toMatchObject({ code: 0, stderr: "" });
		const compiled = (call: string) =>
			compile(
				cwd,
				`import { createMcpClient } from "@stemma/client/mcp";
import lock from "./orders.tools.lock.json" with { type: "json" };
import type { Tools } from "./orders.tools";

const orders = createMcpClient<Tools>({ url: "https://orders.example/mcp", pin: lock });
const outcome = await orders.callTool(${call});
export const status: string | undefined =
	outcome.status === "complete" ? outcome.structuredContent?.status : undefined;
`,
			);
		expect(compiled('"find_order", { number: "A7" }')).toEqual([]);
		expect(compiled('"find_order", { numbers: "A7" }')).toEqual([expect.stringContaining("numbers")]);
		expect(compiled('"find_orders", { number: "A7" }')).toEqual([expect.stringContaining("find_orders")]);

		const pin: McpLock = JSON.parse(readFileSync(join(cwd, "orders.tools.lock.json"), "utf8"));
		const orders = createMcpClient({ url, token: TOKEN, pin });
		expect(await orders.callTool("find_order", { number: "A7" })).toMatchObject({
			structuredContent: { status: "shipped" },
		});
	});

	it.each<readonly [string, string | undefined, () => string, RegExp]>([
		[
			"no token",
			undefined,
			() => url,
			/^error: The MCP server at \S+ requires a token\.\nhint: {2}Pass a token with --token-env <name> or --token-stdin\.\n$/,
		],
		[
			"a token that is refused",
			"another-token",
			() => url,
			/^error: The server refuses this token\.\nhint: /,
		],
		[
			"nobody there",
			TOKEN,
			() => "http://127.0.0.1:1/mcp?key=in-the-query",
			/^error: No MCP server answers at http:\/\/127\.0\.0\.1:1\/mcp\.\nhint: {2}Check the address/,
		],
		["no address", TOKEN, () => "orders", /^error: The argument <url> is not a valid address\.\nhint: /],
		[
			"a password in the address",
			TOKEN,
			() => "https://me:in-the-query@orders.example/mcp",
			/^error: The argument <url> is not a valid address\.\nhint: /,
		],
	])("says what to do about %s", async (_, token, toUrl, message) => {
		const { code, stderr } = await run(token, toUrl());
		expect(stderr).toMatch(message);
		expect(stderr).not.toMatch(/another-token|a-token-of-mine|in-the-query/);
		expect(code).toBe(1);
	});
});

/** What is wrong in a program beside generated files, compiled as this repository is. */
function compile(folder: string, program: string): string[] {
	const file = join(folder, "program.ts");
	writeFileSync(file, program);
	const { config } = ts.readConfigFile(join(root, "tsconfig.base.json"), ts.sys.readFile);
	const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
	const compiled = ts.createProgram([file], { ...options, pathsBasePath: root });
	const sources = compiled.getSourceFiles().filter(({ fileName }) => fileName.startsWith(folder));
	return [
		...compiled.getOptionsDiagnostics(),
		...sources.flatMap((source) => [
			...compiled.getSyntacticDiagnostics(source),
			...compiled.getSemanticDiagnostics(source),
		]),
	].map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}
