import { expect, it } from "vitest";
import { schemasHere } from "../schema-check/test-support/schemas-here";
import { checkSchemas } from "./check-schemas";

const dead = { $ref: "#/$defs/missing" };
const check = (fields: object) => checkSchemas({ messages: [], ...fields }, schemasHere, "tools");

it.each([
	["output", { outputSchema: dead, output: { strict: true } }, "response_format"],
	["tools", { tools: [{ name: "faq", parameters: dead, strict: true }] }, "tools"],
	["pattern", { outputSchema: { pattern: "[" }, output: { strict: true } }, "response_format"],
] as const)("refuses a strict schema that cannot be used: %s", async (_, fields, param) => {
	await expect(check(fields)).rejects.toMatchObject({ status: 400, code: "invalid_request", param });
});

it.each([
	["that are not strict", { outputSchema: dead, output: {}, tools: [{ name: "faq", parameters: dead }] }],
	["with patterns of other dialects", { outputSchema: { pattern: "^[\\w-.]+@" }, output: { strict: true } }],
])("takes schemas %s", async (_, fields) => {
	await expect(check(fields)).resolves.toBeUndefined();
});
