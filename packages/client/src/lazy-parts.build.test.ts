import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import type * as Client from "./index";
import { serveRun } from "./test-support/fake-run";
import { NodeXmlHttpRequest } from "./test-support/node-xml-http-request";
import { CLIENT_KEY, useTestServer } from "./test-support/test-client";
import { sendJson } from "./test-support/test-server";

const dist = new URL("../dist/", import.meta.url);
const require = createRequire(import.meta.url);
const folder = await mkdtemp(join(tmpdir(), "stemma-lazy-parts-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** As a page has it: one file that it starts with, and one for each part that is loaded later. */
async function bundle(): Promise<typeof Client> {
	await build({
		stdin: {
			contents: 'export { agents, createClient } from "./index.js";',
			resolveDir: fileURLToPath(dist),
			sourcefile: "page.js",
		},
		outdir: folder,
		outExtension: { ".js": ".mjs" },
		bundle: true,
		minify: true,
		splitting: true,
		format: "esm",
		platform: "browser",
		target: "es2022",
		tsconfigRaw: {},
		logLevel: "error",
	});
	return (await import(join(folder, "stdin.mjs"))) as typeof Client;
}

const bundled = await bundle();
const clients: readonly (readonly [string, typeof Client])[] = [
	["ESM", await import(new URL("index.js", dist).href)],
	["CommonJS", require("../dist/index.cjs")],
	["bundled", bundled],
];

const server = useTestServer();
afterEach(() => vi.unstubAllGlobals());

it("are split off from one file that a page starts with, and import nothing", async () => {
	const parts = (await readdir(folder)).filter((name) => name !== "stdin.mjs");
	expect(parts.map((name) => name.replace(/(-[A-Z0-9]{8})+\.mjs$/, "")).sort()).toEqual([
		"access-token",
		"document-file",
		"output-schema",
		"polled-run",
		"xml-http-request",
	]);
	for (const part of parts) expect(await readFile(join(folder, part), "utf8")).not.toMatch(/\bimport\b/);
});

describe.each(clients)(
	"the parts that are loaded when they are needed (%s)",
	(_, { agents, createClient }) => {
		const input = { input: "How long?" };
		const connect = () => createClient({ clientKey: CLIENT_KEY, baseUrl: server().url });

		it("check outputs", async () => {
			serveRun(server(), { words: ["7"] });
			const output = { "~standard": { validate: (value: unknown) => ({ value: Number(value) + 1 }) } };
			expect((await agents(connect()).run("desk", { ...input, output })).output).toBe(8);
			const validate = () => ({ issues: [{ message: "No." }] });
			const failed = agents(connect()).run("desk", { ...input, output: { "~standard": { validate } } });
			await expect(failed).rejects.toMatchObject({ name: "StemmaError", code: "output_invalid" });
		});

		it("fetch access tokens", async () => {
			serveRun(server());
			server().on("POST /oauth/token", (_, response) =>
				sendJson(response, { access_token: "at", expires_in: 60 }),
			);
			const client = createClient({ clientId: "cl_1", clientSecret: "a-long-secret", baseUrl: server().url });
			const results = await Promise.all([1, 2].map(() => agents(client).run("desk", input)));
			expect(results.map(({ status }) => status)).toEqual(["completed", "completed"]);
			expect(server().tokenRequests).toHaveLength(1);
			expect(server().requests[0]?.headers.authorization).toBe("Bearer at");
		});

		it("poll", async () => {
			serveRun(server());
			const result = await agents({ ...connect(), canStream: false }).run("desk", input);
			expect(result.output).toBe("It takes five days.");
			expect(server().requests.at(-1)?.query.get("wait_ms")).toBe("25000");
		});

		it("stream over XMLHttpRequest", async () => {
			vi.stubGlobal("XMLHttpRequest", NodeXmlHttpRequest);
			vi.stubGlobal("Response", class {});
			serveRun(server());
			const before = NodeXmlHttpRequest.instances.length;
			expect((await agents(connect()).run("desk", input)).status).toBe("completed");
			expect(NodeXmlHttpRequest.instances.length).toBe(before + 1);
		});
	},
);
