import { createMcpLock } from "@stemma/client/mcp";
import type { ToolRequest } from "@stemma/engine";
import { createMcpHandler, type McpScript, text, useRpcServer } from "@stemma/simulators/rpc";
import { describe, expect, it } from "vitest";
import { type McpToolsOptions, mcpTools } from "./mcp-tools";

const server = useRpcServer();
const idle = (): AbortSignal => new AbortController().signal;

const refund = {
	name: "refund_order",
	description: "Pays back.",
	inputSchema: { type: "object", properties: { order: { type: "string" } }, required: ["order"] },
};

const reference = (over: Partial<ToolRequest> = {}): ToolRequest => ({
	runId: "run_1",
	node: "refund",
	tool: "refund_order",
	server: `${server.url}/mcp`,
	arguments: { order: "A1" },
	...over,
});

const calls = (method: string) => server.received.filter(({ rpc }) => rpc.method === method);
const useTools = (script: Partial<McpScript> = {}, options: McpToolsOptions = {}) => {
	server.handle(createMcpHandler({ era: "modern", tools: [refund], ...script }));
	return mcpTools(options);
};

describe.each(["legacy", "modern"] as const)("tools of a %s server", (era) => {
	it("are described and called over one connection, whatever calls at once", async () => {
		const tools = useTools({ era, call: ({ order }) => text(`paid ${order}`) }, { depth: 1 });
		const described = await Promise.all([1, 2, 3].map(() => tools.describe(reference(), { signal: idle() })));
		expect(described[2]).toEqual({
			description: "Pays back.",
			parameters: refund.inputSchema,
			idempotent: false,
		});
		const args = ["A1", "A2", "A3"].map((order, depth) =>
			tools.atDepth(depth + 5).call(reference({ arguments: { order } }), { signal: idle() }),
		);
		expect(await Promise.all(args)).toEqual(["paid A1", "paid A2", "paid A3"]);
		expect(await tools.call(reference(), { signal: idle() })).toBe("paid A1");
		expect(calls("initialize")).toHaveLength(era === "legacy" ? 1 : 0);
		expect(calls("tools/call").map(({ headers }) => headers["stemma-depth"])).toEqual(["5", "6", "7", "1"]);
		expect(
			calls("tools/list").filter(({ headers }) => "mcp-method" in headers === (era === "modern")),
		).toHaveLength(1);
	});

	it("are told of the trace that a call is part of", async () => {
		const traceContext = {
			traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01`,
			tracestate: "some=thing",
		};
		const tools = useTools({ era });
		await tools.call(reference(), { signal: idle(), traceContext });
		await tools.call(reference(), { signal: idle() });
		expect(calls("tools/call")[0]?.headers.traceparent).toBe(traceContext.traceparent);
		const [traced, untraced] = calls("tools/call").map(({ rpc }) => Object(rpc.params)._meta ?? {});
		expect(traced).toMatchObject(traceContext);
		expect(untraced).not.toHaveProperty("traceparent");
	});

	it("hear of the end of a run", async () => {
		const controller = new AbortController();
		const tools = useTools({ era, call: () => new Promise(() => undefined) });
		const called = tools.call(reference(), { signal: controller.signal });
		await expect.poll(() => calls("tools/call")).toHaveLength(1);
		controller.abort(new Error("enough"));
		await expect(called).rejects.toThrow("enough");
		if (era === "modern") await expect.poll(() => calls("tools/call")[0]?.isAborted).toBe(true);
		else
			await expect
				.poll(() => calls("notifications/cancelled")[0]?.rpc.params)
				.toMatchObject({ requestId: calls("tools/call")[0]?.rpc.id });
	});

	it("tell what they say of a failure", async () => {
		const call = () => ({ ...text("The till is closed."), isError: true });
		const tools = useTools({ era, call });
		await expect(tools.call(reference(), { signal: idle() })).rejects.toMatchObject({
			code: "tool_failed",
			message: "The till is closed.",
		});
	});

	it("give what is structured, and cut what is long", async () => {
		let args: object = { content: [], structuredContent: { paid: true } };
		const tools = useTools({ era, call: () => args });
		expect(await tools.call(reference(), { signal: idle() })).toEqual({ paid: true });
		args = text("x".repeat(412_000));
		expect(await tools.call(reference(), { signal: idle() })).toMatch(
			/^x{100000}… \[cut: 312,000 of 412,000 characters\]$/,
		);
	});
});

describe("the list of a server", () => {
	const describeOnce = (tools: ReturnType<typeof mcpTools>) =>
		tools.describe(reference(), { signal: idle() });

	it("is asked for again when its time is over, and not before", async () => {
		const tools = useTools({ ttlMs: 2000 });
		for (let count = 0; count < 3; count++) await describeOnce(tools);
		expect(calls("tools/list")).toHaveLength(1);
		await new Promise((resolve) => setTimeout(resolve, 2100));
		await describeOnce(tools);
		expect(calls("tools/list")).toHaveLength(2);
	});

	it("is asked for each time where that is wanted", async () => {
		const tools = useTools({ ttlMs: 0 });
		await describeOnce(tools);
		await describeOnce(tools);
		expect(calls("tools/list")).toHaveLength(2);
	});

	it("is asked for again after a tool was not there", async () => {
		const tools = useTools({ ttlMs: 60_000 });
		await describeOnce(tools);
		await expect(tools.call(reference({ tool: "gone" }), { signal: idle() })).rejects.toThrow(/gone/);
		await describeOnce(tools);
		expect(calls("tools/list")).toHaveLength(2);
	});

	it("goes on for others when one of them leaves", async () => {
		const tools = useTools();
		const controller = new AbortController();
		const abortedResult = tools.describe(reference(), { signal: controller.signal });
		const otherResult = describeOnce(tools);
		controller.abort(new Error("left"));
		await expect(abortedResult).rejects.toThrow("left");
		expect(await otherResult).toMatchObject({ description: "Pays back." });
	});
});

it("names the tools of a server that has not the one", async () => {
	const tools = useTools();
	await expect(tools.describe(reference({ tool: "refund_ordr" }), { signal: idle() })).rejects.toMatchObject({
		code: "tool_not_found",
		message: `${server.url}/mcp has no tool "refund_ordr". Did you mean "refund_order"? It has "refund_order".`,
	});
	const inCode = { runId: "run_1", node: "refund", tool: "refund_order", arguments: {} };
	await expect(tools.describe(inCode, { signal: idle() })).rejects.toMatchObject({
		code: "tool_not_registered",
	});
});

it("refuses a schema bomb, and fetches nothing that a schema names", async () => {
	const { url } = server;
	const expensiveSchema = { ...refund, name: "bomb", description: "x".repeat(70_000) };
	const recursiveSchema = {
		name: "looping",
		inputSchema: { type: "object", properties: { a: { $ref: `${url}/schema` }, b: { $ref: "#" } } },
	};
	const tools = useTools({ tools: [expensiveSchema, recursiveSchema] });
	await expect(tools.describe(reference({ tool: "bomb" }), { signal: idle() })).rejects.toMatchObject({
		code: "tool_schema_invalid",
	});
	const described = await tools.describe(reference({ tool: "looping" }), { signal: idle() });
	expect(described.parameters).toEqual(recursiveSchema.inputSchema);
	expect(server.received.filter(({ path }) => path !== "/mcp")).toEqual([]);
});

it("sends each secret to its server alone, over a client of its own", async () => {
	const values: Record<string, string> = { billing: "first-secret", other: "second-secret" };
	const requestedSecrets: string[] = [];
	const tools = useTools(
		{},
		{
			secret: (name, url) => {
				requestedSecrets.push(`${name} ${url}`);
				return values[name];
			},
		},
	);
	for (const secret of ["billing", "billing", "other", undefined])
		await tools.call(reference(secret === undefined ? {} : { secret }), { signal: idle() });
	expect(calls("tools/call").map(({ headers }) => headers.authorization)).toEqual([
		"Bearer first-secret",
		"Bearer first-secret",
		"Bearer second-secret",
		undefined,
	]);
	expect(requestedSecrets).toEqual(
		["billing", "billing", "other"].map((name) => `${name} ${server.url}/mcp`),
	);
	const before = server.received.length;
	await expect(tools.call(reference({ secret: "missing" }), { signal: idle() })).rejects.toMatchObject({
		code: "secret_missing",
		message: 'There is no value for the secret "missing".',
		hint: expect.stringContaining("`mcpTools`"),
	});
	expect(server.received).toHaveLength(before);
});

it("authorizes by `auth` at servers whose nodes name no secret, and there alone", async () => {
	const auth = {
		forServer: ({ url }: { readonly url: string }) => ({
			authorization: async () => `Bearer for-${new URL(url).pathname}`,
			renew: async () => false,
			redact: (errorText: string) => errorText,
		}),
	};
	const tools = useTools({}, { auth, secret: () => "of-the-node" });
	await tools.call(reference(), { signal: idle() });
	await tools.call(reference({ secret: "orders" }), { signal: idle() });
	expect(calls("tools/call").map(({ headers }) => headers.authorization)).toEqual([
		"Bearer for-/mcp",
		"Bearer of-the-node",
	]);
});

it("hides the token of `auth` in errors, whatever the server says", async () => {
	const token = "an-oauth-token";
	const auth = {
		forServer: () => ({
			authorization: async () => `Bearer ${token}`,
			renew: async () => false,
			redact: (errorText: string) => errorText.replaceAll(token, "[redacted]"),
		}),
	};
	const failed = { ...text(`You sent ${token}.`), isError: true };
	const tools = useTools({ tools: [refund, { ...refund, name: token }], call: () => failed }, { auth });
	await expect(tools.call(reference(), { signal: idle() })).rejects.toMatchObject({
		code: "tool_failed",
		message: "You sent [redacted].",
	});
	const other = reference({ tool: "other" });
	await expect(tools.describe(other, { signal: idle() })).rejects.toMatchObject({
		code: "tool_not_found",
		message: expect.stringContaining('"[redacted]"'),
	});
});

it("neither offers nor calls a tool that is not as its lock has it", async () => {
	const lock = await createMcpLock([refund]);
	const pins = { [`${server.url}/mcp/`]: lock };
	const other = { ...refund, name: "other" };
	const good = useTools({ tools: [refund, other] }, { pins });
	expect(await good.describe(reference(), { signal: idle() })).toMatchObject({ description: "Pays back." });
	expect(await good.call(reference(), { signal: idle() })).toBe("done");
	await expect(good.describe(reference({ tool: "other" }), { signal: idle() })).rejects.toMatchObject({
		code: "tool_not_pinned",
		message: `${server.url}/mcp has no tool "other" in its lock. It has "refund_order".`,
	});
	await expect(good.call(reference({ tool: "other" }), { signal: idle() })).rejects.toMatchObject({
		code: "tool_not_pinned",
	});
	const changed = useTools({ tools: [{ ...refund, description: "Pays whoever asks." }] }, { pins });
	const rejection = { code: "tool_changed", message: expect.stringContaining("description changed") };
	await expect(changed.describe(reference(), { signal: idle() })).rejects.toMatchObject(rejection);
	await expect(changed.call(reference(), { signal: idle() })).rejects.toMatchObject(rejection);
	expect(calls("tools/call")).toEqual([]);
});

it("ends the sessions of its servers when it is closed, and can go on", async () => {
	const tools = useTools({ era: "legacy" });
	await tools.call(reference(), { signal: idle() });
	tools.close();
	await expect.poll(() => server.received.map(({ method }) => method)).toContain("DELETE");
	expect(await tools.call(reference(), { signal: idle() })).toBe("done");
	expect(calls("initialize")).toHaveLength(2);
});
