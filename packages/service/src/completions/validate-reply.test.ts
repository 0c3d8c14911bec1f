import type { ChatReply, ChatRequest } from "@stemma/core";
import { expect, it } from "vitest";
import { inProcessSchemaChecker } from "../schema-check/test-support/in-process-checker";
import { validateReply } from "./validate-reply";

const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const tools = [{ name: "faq", parameters: schema, strict: true }];
const request = (fields: Partial<ChatRequest>): ChatRequest => ({ messages: [], ...fields });
const text = (content: string): ChatReply => ({ text: content, toolCalls: [], finishReason: "stop" });
const call = (name: string, args = '{"city":"Aarhus"}') => ({ id: `call_${name}`, name, arguments: args });
const calls = (...toolCalls: ChatReply["toolCalls"]): ChatReply => ({
	text: "",
	toolCalls,
	finishReason: "tool_calls",
});
const strict = { outputSchema: schema, output: { strict: true } };

it.each([
	["text", {}, text("Noon.")],
	["a required call", { tools, toolChoice: "required" }, calls(call("faq"))],
	["a named call", { tools, toolChoice: { name: "faq" } }, calls(call("faq"), call("faq"))],
	["one call", { tools, settings: { parallelToolCalls: false } }, calls(call("faq"))],
	["an object", { output: {} }, text('{"a":1}')],
	["JSON of a schema", strict, text('{"city":"Aarhus"}')],
	["JSON of a schema that is not strict", { outputSchema: schema }, text("{}")],
	["a call before the output", strict, calls(call("faq"))],
	["what was cut off", strict, { ...text('{"ci'), finishReason: "length" }],
	["what was withheld", { tools, toolChoice: "required" }, { ...text("No."), finishReason: "filtered" }],
	["what ends at a text", { output: {}, settings: { stop: ["}"] } }, text('{"a":1')],
] as const)("lets %s pass", async (_, fields, reply) => {
	await expect(validateReply(request(fields), reply, inProcessSchemaChecker)).resolves.toBeUndefined();
});

it.each([
	["no call", { tools, toolChoice: "required" }, text("Noon."), "tool_choice_not_followed"],
	["another call", { tools, toolChoice: { name: "faq" } }, calls(call("fee")), "tool_choice_not_followed"],
	["a call", { tools, toolChoice: "none" }, calls(call("faq")), "tool_choice_not_followed"],
	[
		"two calls",
		{ tools, settings: { parallelToolCalls: false } },
		calls(call("faq"), call("faq")),
		"tool_choice_not_followed",
	],
	["arguments that do not fit", { tools }, calls(call("faq", '{"city":1}')), "output_invalid"],
	["prose", { output: {} }, text("Noon."), "output_invalid"],
	["a list", { output: {} }, text("[]"), "output_invalid"],
	["prose instead of a schema", { outputSchema: schema }, text("Noon."), "output_invalid"],
	["JSON that does not fit", strict, text('{"city":1}'), "output_invalid"],
] as const)("refuses %s", async (_, fields, reply, code) => {
	await expect(validateReply(request(fields), reply, inProcessSchemaChecker)).rejects.toMatchObject({
		code,
	});
});
