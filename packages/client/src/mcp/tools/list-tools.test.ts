import { describe, expect, it } from "vitest";
import { connect, failure, serveMcp, TOOL } from "../test-support/mcp-server";

const eras = ["legacy", "modern"] as const;
const named = (name: string) => ({ ...TOOL, name });

describe.each(eras)("a list of tools (%s)", (era) => {
	const listOf = async (page: (cursor: unknown) => object) => {
		const server = await serveMcp({ era, handlers: { "tools/list": ({ params }) => page(params?.cursor) } });
		return { server, listed: connect(server, { protocol: era }).listTools() };
	};

	it("is read to its end, also over an empty cursor", async () => {
		const pages: Readonly<Record<string, object>> = {
			undefined: { tools: [named("a")], nextCursor: "", ttlMs: 50 },
			"": { tools: [named("b")], nextCursor: "c 2", ttlMs: 20 },
			"c 2": { tools: [named("c"), named("a")], nextCursor: "0" },
			"0": { tools: [] },
		};
		const { server, listed } = await listOf((cursor) => pages[String(cursor)] ?? {});
		const { tools, ttlMs } = await listed;
		expect(tools.map(({ name }) => name)).toEqual(["a", "b", "c"]);
		expect(ttlMs).toBe(20);
		const listRequests = server.received.filter(({ method }) => method === "tools/list");
		expect(listRequests.map(({ params }) => params?.cursor)).toEqual([undefined, "", "c 2", "0"]);
		expect(listRequests[0]?.params ?? {}).not.toHaveProperty("cursor");
	});

	it("ends where the cursor is `null`", async () => {
		const { listed } = await listOf(() => ({ tools: [TOOL], nextCursor: null }));
		expect(await listed).toEqual({ tools: [TOOL] });
	});

	it.each<[string, (count: number) => object]>([
		["the same cursor again", () => ({ tools: [], nextCursor: "a" })],
		["cursors in turns", (count) => ({ tools: [], nextCursor: `${count % 3}` })],
		[
			"ever more tools",
			(count) => ({
				tools: Array.from({ length: 4000 }, (_, one) => named(`${count} ${one}`)),
				nextCursor: `${count}`,
			}),
		],
		["ever more pages", (count) => ({ tools: [], nextCursor: `${count}` })],
	])("that does not end is an error: %s", async (_, page) => {
		let count = 0;
		const { server, listed } = await listOf(() => {
			count += 1;
			return page(count);
		});
		expect(await failure(listed)).toMatchObject({ name: "McpError", code: "list_too_long" });
		expect(server.count("tools/list")).toBeLessThanOrEqual(1000);
	});

	it("that is none is an error, and what is no tool is none", async () => {
		const { listed } = await listOf(() => ({ tools: "add" }));
		expect(await failure(listed)).toMatchObject({ code: "malformed_response" });
		const odd = [
			null,
			7,
			{},
			{ name: 7, inputSchema: {} },
			{ name: "a" },
			{ name: "b", inputSchema: [] },
			TOOL,
		];
		const { listed: others } = await listOf(() => ({ tools: odd }));
		expect((await others).tools).toEqual([TOOL]);
	});

	it("with names of objects' own is a list as any other", async () => {
		const tools = ["__proto__", "constructor", "toString"].map(named);
		const { listed } = await listOf(() => ({ tools }));
		expect((await listed).tools).toEqual(tools);
	});
});
