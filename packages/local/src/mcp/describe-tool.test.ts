import type { McpTool } from "@stemma/client/mcp";
import { describe, expect, it } from "vitest";
import { describeTool } from "./describe-tool";

const object = { type: "object", properties: { order: { type: "string" } } };
const SERVER = "https://mcp.example/mcp?key=very-secret";

// What a server lists may be anything.
const describeFrom = (name: string, ...tools: readonly object[]) =>
	describeTool(tools as unknown as readonly McpTool[], name, SERVER);

const nested = (levels: number): object =>
	levels === 0 ? { type: "string" } : { type: "object", properties: { a: nested(levels - 1) } };

describe("a tool of a server", () => {
	it("is offered with its schema as it is", () => {
		const inputSchema = {
			...object,
			$defs: { node: { $ref: "#/$defs/node" } },
			properties: { a: { $ref: "#/$defs/node" }, b: { $ref: "https://elsewhere.example/schema" } },
		};
		const tool = { name: "refund", description: "Pays back.", inputSchema };
		expect(describeFrom("refund", tool)).toEqual({
			description: "Pays back.",
			parameters: inputSchema,
			idempotent: false,
		});
		expect(describeFrom("refund", { name: "refund", title: "Refund", inputSchema })).toMatchObject({
			description: "Refund",
		});
	});

	it.each([
		[{ idempotentHint: true }, true],
		[{ readOnlyHint: true }, true],
		[{ idempotentHint: "yes" }, false],
		[undefined, false],
	])("with the annotations %j may be called again: %s", (annotations, idempotent) =>
		expect(describeFrom("refund", { name: "refund", inputSchema: object, annotations })).toMatchObject({
			idempotent,
		}),
	);

	it("that is not there is named with those that are", () => {
		const tools = Array.from({ length: 22 }, (_, index) => ({ name: `tool_${index}`, inputSchema: object }));
		const attempt = () => describeFrom("refnd", { name: "refund", inputSchema: object }, ...tools);
		expect(attempt).toThrow(
			/^https:\/\/mcp\.example\/mcp has no tool "refnd"\. Did you mean "refund"\? It has "refund", "tool_0", .*"tool_18" and 3 more\.$/,
		);
		expect(() => describeFrom("refund")).toThrow("It has none.");
	});

	it.each([
		["no schema", undefined, "not that of an object"],
		["true", true, "not that of an object"],
		["a list", { type: "array" }, "not that of an object"],
		["two types", { type: ["object", "null"] }, "not that of an object"],
		["deep nesting", { ...object, ...nested(5_000) }, "Nested more than 64 levels deep"],
		["a large schema", { ...object, description: "x".repeat(70_000) }, "70,0.. characters"],
	])("with %s is refused", (_, inputSchema, message) => {
		const attempt = () => describeFrom("bomb", { name: "bomb", inputSchema });
		expect(attempt).toThrow(new RegExp(message));
		expect(attempt).toThrow(/^The tool "bomb" of https:\/\/mcp\.example\/mcp cannot be offered/);
	});

	it("with a description that is too large is refused", () =>
		expect(() =>
			describeFrom("bomb", { name: "bomb", inputSchema: object, description: "x".repeat(70_000) }),
		).toThrow(/characters; the maximum is 65,536/));
});
