import { describe, expect, it } from "vitest";
import { connect, failure, serveMcp, TOOL } from "./test-support/mcp-server";

const eras = ["legacy", "modern"] as const;
const text = [{ type: "text", text: "3" }];

/** Of all JSON Schema, `required` alone. */
const validate = (schema: object, value: unknown) => {
	const missing = (schema as { required: string[] }).required.filter((name) => !(name in Object(value)));
	return missing.length === 0
		? { valid: true as const }
		: { valid: false as const, errors: missing.map((name) => `${name} is missing`) };
};
const tool = {
	...TOOL,
	outputSchema: { type: "object", required: ["sum"], $ref: "http://127.0.0.1:1/schema" },
};

describe.each(eras)("a result (%s)", (protocol) => {
	const callOf = async (result: object, options = {}) => {
		const server = await serveMcp({
			era: protocol,
			handlers: { "tools/list": () => ({ tools: [tool] }), "tools/call": () => result },
		});
		return connect(server, { protocol, ...options }).callTool("add", { a: 1 });
	};

	it("is given as it is", async () => {
		const result = { content: text, structuredContent: { sum: 3 }, _meta: { a: 1 } };
		expect(await callOf(result)).toEqual({ status: "complete", isError: false, ...result });
		expect(await callOf({ content: text, isError: true })).toEqual({
			status: "complete",
			isError: true,
			content: text,
		});
		expect(await callOf({})).toEqual({ status: "complete", isError: false, content: [] });
	});

	it.each([null, false, 0, "", []])("may be %o", async (structuredContent) => {
		expect(await callOf({ content: [], structuredContent })).toMatchObject({ structuredContent });
	});

	it.each([
		[{ structuredContent: { total: 3 } }, "sum is missing"],
		[{ content: text }, "`structuredContent` is missing"],
	])(
		"that is not as the schema says is an error where it is checked: %o",
		async (result, expectedMessage) => {
			expect(await callOf(result)).toMatchObject({ status: "complete" });
			const error = await failure(callOf(result, { validate }));
			expect(error).toMatchObject({ name: "McpError", code: "output_invalid" });
			expect(error.message).toContain(expectedMessage);
		},
	);

	it("that is as the schema says is none, nor is that of a tool that failed", async () => {
		const good = { content: text, structuredContent: { sum: 3 } };
		expect(await callOf(good, { validate })).toMatchObject(good);
		expect(await callOf({ content: text, isError: true }, { validate })).toMatchObject({ isError: true });
	});
});

it("each is paid for once: what a tool was asked for is not asked again", async () => {
	const server = await serveMcp({
		era: "modern",
		handlers: { "tools/call": (_, response) => void response.socket?.destroy() },
	});
	expect(await failure(connect(server).callTool("add"))).toMatchObject({ name: "ConnectionError" });
	expect(server.count("tools/call")).toBe(1);
});

it.each([429, 503])("HTTP %i, which says that nothing was begun, is asked again", async (status) => {
	let count = 0;
	const server = await serveMcp({
		era: "modern",
		handlers: {
			"tools/call": (_, response) => {
				count += 1;
				return count === 1 ? void response.writeHead(status).end() : { content: text };
			},
		},
	});
	expect(await connect(server).callTool("add")).toMatchObject({ content: text });
});
