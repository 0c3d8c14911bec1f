import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { inspect } from "node:util";
import { build } from "esbuild";
import { describe, expect, test } from "vitest";
import type * as Client from "./index";

type Core = Pick<
	typeof Client,
	"AgentGraphError" | "ConfigurationError" | "defineAgent" | "isStemmaError" | "StemmaError"
>;

const dist = new URL("../dist/", import.meta.url);
const coreDist = new URL("../../core/dist/", import.meta.url);
const require = createRequire(import.meta.url);

/** As a page has it: with all names that can be shortened. */
async function minify(): Promise<typeof Client> {
	const { outputFiles } = await build({
		entryPoints: [fileURLToPath(new URL("index.js", dist))],
		bundle: true,
		minify: true,
		format: "esm",
		platform: "browser",
		target: "es2022",
		// Else it would find the sources of core.
		tsconfigRaw: {},
		logLevel: "error",
		write: false,
	});
	const code = Buffer.from(outputFiles[0]?.contents ?? "").toString("base64");
	return (await import(`data:text/javascript;base64,${code}`)) as typeof Client;
}

const clients: Readonly<Record<string, typeof Client>> = {
	esm: await import(new URL("index.js", dist).href),
	cjs: require("../dist/index.cjs"),
	minified: await minify(),
};
const cores: Readonly<Record<string, Core>> = {
	"esm core": await import(new URL("index.js", coreDist).href),
	"cjs core": require("../../core/dist/index.cjs"),
};

test.each([
	["esm", "esm core"],
	["cjs", "cjs core"],
])("defineAgent and AgentGraphError of the client (%s) are those of core", (client, core) => {
	expect(clients[client]?.defineAgent).toBe(cores[core]?.defineAgent);
	expect(clients[client]?.AgentGraphError).toBe(cores[core]?.AgentGraphError);
	expect(() => clients[client]?.defineAgent({ nodes: [], edges: [] })).toThrow(cores[core]?.AgentGraphError);
});

test.each(["esm", "cjs"])("errors and their classes have their own names (%s)", (kind) => {
	const client = clients[kind];
	if (client === undefined) throw new Error(`There is no ${kind} client.`);
	const { ApiError, AgentGraphError, ConfigurationError, StemmaError, TimeoutError } = client;
	for (const error of [new ConfigurationError("m"), new TimeoutError("timeoutMs", 1)])
		expect(inspect(error).startsWith(`${error.name}: `)).toBe(true);
	expect([ApiError, AgentGraphError, StemmaError].map(({ name }) => name)).toEqual([
		"ApiError",
		"AgentGraphError",
		"StemmaError",
	]);
});

test("errors of a minified bundle keep their names", () => {
	const error = new (clients.minified?.ConfigurationError ?? Error)("m");
	expect([error.name, String(error), error.stack?.split("\n")[0]]).toEqual([
		"ConfigurationError",
		"ConfigurationError: m",
		"ConfigurationError: m",
	]);
});

const CLASSES = {
	AuthenticationError: 401,
	PermissionError: 403,
	NotFoundError: 404,
	ConflictError: 409,
	InvalidRequestError: 422,
	RateLimitError: 429,
	ServerError: 500,
	NotConfiguredError: 501,
} as const;

const pairs = Object.entries(clients).flatMap(([one, source]) =>
	Object.entries(clients).map(([other, checker]) => ({ one, other, source, checker })),
);

test("the copies have the same exports, and classes of their own", () => {
	const names = Object.values(clients).map((client) => Object.keys(client).sort());
	for (const others of names) expect(others).toEqual(names[0]);
	expect(new Set(Object.values(clients).map(({ ApiError }) => ApiError)).size).toBe(3);
});

describe.each(pairs)("errors of $one, tested by $other", ({ source, checker }) => {
	test("are recognised by their class and all above it, and by no other", () => {
		for (const [name, status] of Object.entries(CLASSES)) {
			const { [name as keyof typeof CLASSES]: ErrorClass } = source;
			const error = new ErrorClass({ status, code: "c", message: "m" });
			expect(`${error}`).toBe(`${name}: m`);
			for (const other of Object.keys(CLASSES))
				expect(checker[other as keyof typeof CLASSES].is(error)).toBe(other === name);
			expect([error].filter(checker.ApiError.is)).toEqual([error]);
			expect([checker.StemmaError, checker.ConnectionError].map(({ is }) => is(error))).toEqual([
				true,
				false,
			]);
		}
	});

	test("that a call throws are recognised", async () => {
		const fetch = () => Promise.reject(new TypeError("m"));
		const client = source.createClient({
			clientKey: "ck_1",
			baseUrl: "http://localhost",
			maxRetries: 0,
			fetch,
		});
		const error = await source
			.runs(client)
			.get("run_1")
			.catch((thrown: unknown) => thrown);
		expect(checker.ConnectionError.is(error)).toBe(true);
	});

	test("that a program derives are recognised", () => {
		class ShopError extends source.NotFoundError {}
		const error = new ShopError({ status: 404, code: "c", message: "m" });
		expect(
			[checker.NotFoundError, checker.ApiError, checker.RateLimitError].map(({ is }) => is(error)),
		).toEqual([true, true, false]);
	});
});

describe.each(Object.entries(cores))("%s", (_, core) => {
	test.each(Object.entries(clients))("knows the errors of %s, and is known by it", (_, client) => {
		expect(core.isStemmaError(new client.ConnectionError("m"))).toBe(true);
		expect(core.ConfigurationError.is(new client.ConfigurationError("m"))).toBe(true);
		expect(client.AgentGraphError.is(new core.AgentGraphError([]))).toBe(true);
		expect(client.ApiError.is(new core.AgentGraphError([]))).toBe(false);
	});
});
