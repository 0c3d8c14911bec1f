import { expect, it } from "vitest";
import { inProcessSchemaChecker } from "../schema-check/test-support/in-process-checker";
import { validateSchemas } from "./validate-schemas";

const unusableSchema = { $ref: "#/$defs/missing" };
const check = (fields: object) =>
	validateSchemas({ messages: [], ...fields }, inProcessSchemaChecker, "tools");

it.each([
	["output", { outputSchema: unusableSchema, output: { strict: true } }, "response_format"],
	["tools", { tools: [{ name: "faq", parameters: unusableSchema, strict: true }] }, "tools"],
	["pattern", { outputSchema: { pattern: "[" }, output: { strict: true } }, "response_format"],
] as const)("refuses a strict schema that cannot be used: %s", async (_, fields, param) => {
	await expect(check(fields)).rejects.toMatchObject({ code: "invalid_request", param });
});

it.each([
	[
		"that are not strict",
		{ outputSchema: unusableSchema, output: {}, tools: [{ name: "faq", parameters: unusableSchema }] },
	],
	["with patterns of other dialects", { outputSchema: { pattern: "^[\\w-.]+@" }, output: { strict: true } }],
])("takes schemas %s", async (_, fields) => {
	await expect(check(fields)).resolves.toBeUndefined();
});
