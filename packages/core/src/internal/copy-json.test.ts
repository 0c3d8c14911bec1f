import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import * as zod from "zod";
import { AgentGraphError } from "../errors";
import { validateAgent } from "../validate/validate-agent";

const withMetadata = (metadata: unknown): unknown => ({
	nodes: [{ id: "a", kind: "coordinator", metadata }],
});

function issueMessageOf(graph: unknown): readonly string[] {
	const validation = validateAgent(graph);
	if (validation.success) return [];
	expect(AgentGraphError.is(validation.error)).toBe(true);
	return validation.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
}

function nested(depth: number): unknown {
	let value: unknown = 1;
	for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { value };
	return value;
}

describe("what JSON cannot hold is refused with its place", () => {
	class Metadata {
		readonly a = 1;
	}
	const values: Record<string, unknown> = {
		"a function": () => 1,
		"a symbol": Symbol("x"),
		"a bigint": 1n,
		"not a number": Number.NaN,
		infinity: Number.NEGATIVE_INFINITY,
		"a class instance": new Metadata(),
		"a date": new Date(0),
		"a map": new Map(),
		"an error": new Error("x"),
		"a boxed string": Object("x"),
		bytes: new Uint8Array(2),
		"a zod schema": zod.object({ a: zod.string() }),
		"a revoked proxy": (() => {
			const { proxy, revoke } = Proxy.revocable({}, {});
			revoke();
			return proxy;
		})(),
		"a proxy that throws": new Proxy(
			{},
			{
				ownKeys: () => {
					throw Object.create(null);
				},
			},
		),
	};
	test.each(Object.entries(values))("%s", (_, value) => {
		const lines = issueMessageOf(withMetadata({ list: [0, { value }] }));
		expect(lines).toHaveLength(1);
		expect(lines[0]).toMatch(/^nodes\.0\.metadata\.list\.1\.value: ./);
	});
});

test("messages", () => {
	const metadata = {
		f: () => 1,
		d: new Date(0),
		z: zod.string(),
		n: Number.NaN,
		b: 1n,
		u: [undefined],
		anonymous: new (class {})(),
	};
	expect(issueMessageOf(withMetadata(metadata))).toMatchInlineSnapshot(`
		[
		  "nodes.0.metadata.f: A value of type function is not JSON, and would not survive being saved.",
		  "nodes.0.metadata.d: An object of class "Date" is not JSON; write it as a plain object.",
		  "nodes.0.metadata.z: A schema object is not JSON. Convert it: toJsonSchema(schema) from "@stemma/core/zod".",
		  "nodes.0.metadata.n: NaN is not a number that JSON can hold.",
		  "nodes.0.metadata.b: A value of type bigint is not JSON, and would not survive being saved.",
		  "nodes.0.metadata.u.0: A value of type undefined is not JSON, and would not survive being saved.",
		  "nodes.0.metadata.anonymous: Such an object is not JSON; write it as a plain object.",
		]
	`);
});

test.each([undefined, null, 1, "graph", true, [], Symbol("x"), 1n, () => 1, new Date(0), Number.NaN])(
	"a graph that is %s is one problem",
	(graph) => expect(issueMessageOf(graph)).toHaveLength(1),
);

test("a getter that throws is one problem, and is not told as missing", () => {
	const graph = {
		get nodes(): never {
			throw new Error("no");
		},
	};
	expect(issueMessageOf(graph)).toEqual(["nodes: Reading it threw an error; plain data is needed."]);
	expect(
		issueMessageOf({
			nodes: [
				{
					id: "a",
					kind: "coordinator",
					get description(): never {
						throw 1;
					},
				},
			],
		}),
	).toHaveLength(1);
});

test("getters are read once", () => {
	let reads = 0;
	const graph = {
		get nodes() {
			reads += 1;
			return [{ id: "a", kind: "coordinator" }];
		},
	};
	expect(issueMessageOf(graph)).toEqual([]);
	expect(reads).toBe(1);
});

test("cycles", () => {
	const cycle: Record<string, unknown> = {};
	cycle.self = { cycle };
	expect(issueMessageOf(withMetadata(cycle))).toEqual([
		"nodes.0.metadata.self.cycle: The value contains itself.",
	]);
});

test("shared values are no cycle and are copied", () => {
	const shared = { a: [1] };
	const validation = validateAgent(withMetadata([shared, shared]));
	expect(validation.success && validation.graph.nodes[0]?.metadata).toEqual([shared, shared]);
});

test("values that multiply by sharing are refused quickly", () => {
	let value: unknown = 1;
	for (let level = 0; level < 50; level++) value = [value, value];
	const started = process.threadCpuUsage();
	expect(issueMessageOf(withMetadata(value))[0]).toMatch(/More than 1000000 values/);
	expect(process.threadCpuUsage(started).user).toBeLessThan(5_000_000);
});

test("nesting", () => {
	expect(issueMessageOf(withMetadata(nested(61)))).toEqual([]);
	expect(issueMessageOf(withMetadata(nested(62)))).toHaveLength(1);
	expect(issueMessageOf(withMetadata(nested(100_000)))).toHaveLength(1);
	expect(issueMessageOf({ nodes: nested(100_000) })[0]).toMatch(/Nested more than 64 levels deep/);
});

test("an own __proto__ is refused and pollutes nothing", () => {
	const graph = JSON.parse(
		'{"nodes":[{"id":"a","kind":"coordinator","metadata":{"__proto__":{"polluted":1}}}]}',
	);
	expect(issueMessageOf(graph)[0]).toMatch(/^nodes\.0\.metadata\.__proto__: Not allowed/);
	expect({}).not.toHaveProperty("polluted");
});

test("holes", () => {
	const sparse = [1, 2, 3];
	delete sparse[1];
	expect(issueMessageOf(withMetadata(sparse))).toEqual([
		"nodes.0.metadata.1: Missing: an array must not have holes.",
	]);
	expect(issueMessageOf(withMetadata(new Array(4_294_967_295)))).toHaveLength(1);
});

test("undefined properties are left out, as JSON does; -0 is 0", () => {
	const graph = {
		name: undefined,
		nodes: [{ id: "a", kind: "coordinator", metadata: { u: undefined, zero: -0 } }],
	};
	const validation = validateAgent(graph);
	if (!validation.success) throw validation.error;
	expect(validation.graph).toStrictEqual({
		nodes: [{ id: "a", kind: "coordinator", metadata: { zero: 0 } }],
	});
	expect("name" in validation.graph).toBe(false);
});

test("objects of another realm or without a prototype are plain", () => {
	const foreign: unknown = runInNewContext('({ nodes: [{ id: "a", kind: "coordinator" }] })');
	expect(issueMessageOf(foreign)).toEqual([]);
	expect(issueMessageOf(Object.assign(Object.create(null), foreign))).toEqual([]);
});
