import type { A2aErrorReason } from "@stemma/client/a2a";
import { describe, expect, it } from "vitest";
import { A2aServerError } from "../a2a-server-error";
import { toJsonRpcError, toRestError } from "../error-bodies";
import { BINDINGS, callWithBinding } from "../test-support/both-bindings";
import { createMessage, createTestAgent } from "../test-support/test-agent";

/** A2A 1.0.1, sections 3.3.2, 5.4, 9.5 and 11.6: how errors are told. */
const MAPPINGS: readonly (readonly [A2aErrorReason, number, string, number])[] = [
	["TASK_NOT_FOUND", -32001, "NOT_FOUND", 404],
	["TASK_NOT_CANCELABLE", -32002, "FAILED_PRECONDITION", 400],
	["PUSH_NOTIFICATION_NOT_SUPPORTED", -32003, "FAILED_PRECONDITION", 400],
	["UNSUPPORTED_OPERATION", -32004, "FAILED_PRECONDITION", 400],
	["CONTENT_TYPE_NOT_SUPPORTED", -32005, "INVALID_ARGUMENT", 400],
	["INVALID_AGENT_RESPONSE", -32006, "INTERNAL", 500],
	["EXTENDED_AGENT_CARD_NOT_CONFIGURED", -32007, "FAILED_PRECONDITION", 400],
	["EXTENSION_SUPPORT_REQUIRED", -32008, "FAILED_PRECONDITION", 400],
	["VERSION_NOT_SUPPORTED", -32009, "FAILED_PRECONDITION", 400],
];

describe("5.4 Error Code Mappings", () => {
	it.each(MAPPINGS)("MUST map %s to %i, %s and %i", (reason, code, status, http) => {
		const error = new A2aServerError(reason, "What is wrong.", { hint: "What to do." });
		const info = { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason, domain: "a2a-protocol.org" };
		const message = "What is wrong. What to do.";
		expect(toJsonRpcError(error)).toMatchObject({ code, message, data: [info] });
		expect(toRestError(error)).toMatchObject({ error: { code: http, status, message, details: [info] } });
	});
});

describe.each(BINDINGS)("over %s", (binding) => {
	it("3.3.2 MUST convey code, message and details, each with its @type (9.5, 11.6)", async () => {
		const { response } = await callWithBinding(createTestAgent(), binding, "GetTask", { id: "none" });
		expect(response.status).toBe(binding === "JSONRPC" ? 200 : 404);
		const refused = binding === "JSONRPC" ? "/" : "/tasks/none";
		const agent = createTestAgent();
		const init: RequestInit =
			binding === "JSONRPC"
				? {
						method: "POST",
						headers: { "content-type": "application/json" },
						body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "GetTask", params: { id: "none" } }),
					}
				: {};
		const { error } = await (await agent.send(refused, init)).json();
		expect(error).toMatchObject({ code: expect.any(Number), message: expect.stringMatching(/./) });
		for (const detail of error.data ?? error.details)
			expect(detail["@type"]).toMatch(/^type\.googleapis\.com\//);
	});

	it.each<[string, object]>([
		["message.parts", { message: createMessage("?", { parts: [] }) }],
		["message.parts[0].text", { message: createMessage("?", { parts: [{ text: 1 }] }) }],
		[
			"configuration.historyLength",
			{ message: createMessage("?"), configuration: { historyLength: "many" } },
		],
	])(
		"3.3.2 MUST validate all parameters first, and SHOULD say which one failed: %s",
		async (field, params) => {
			const agent = createTestAgent();
			const { reason, message } = await callWithBinding(agent, binding, "SendMessage", { ...params });
			expect([reason, message?.startsWith(`${field}: Expected`), agent.store.starts]).toEqual([
				"INVALID_PARAMS",
				true,
				[],
			]);
		},
	);

	it("3.3.2 SHOULD NOT distinguish what is not there from what the caller may not see", async () => {
		// The store gives neither: one answer for both is all that a server can say.
		const outcomes = [];
		for (const id of ["run_of_another", "nonsense"])
			outcomes.push(
				(await callWithBinding(createTestAgent(), binding, "GetTask", { id })).message?.replace(id, "…"),
			);
		expect(outcomes[0]).toBe(outcomes[1]);
	});

	it("3.3.2 SHOULD log system errors, and tell nothing of them", async () => {
		const agent = createTestAgent();
		const { reason, message } = await callWithBinding(agent, binding, "SendMessage", {
			message: createMessage("break"),
		});
		expect([reason, message]).toEqual(["INTERNAL_ERROR", expect.not.stringContaining("s3cret")]);
		expect(agent.mappedErrors).toHaveLength(1);
	});

	it("3.3.2 MAY say when to try again", async () => {
		const { response } = await callWithBinding(createTestAgent(), binding, "SendMessage", {
			message: createMessage("too many"),
		});
		expect([response.status, response.headers.get("retry-after")]).toEqual([429, "7"]);
	});

	it("13.4 SHOULD limit the size of messages", async () => {
		const { reason, response } = await callWithBinding(createTestAgent(), binding, "SendMessage", {
			message: createMessage("x".repeat(2 ** 21)),
		});
		expect([reason, response.status]).toEqual(["INVALID_REQUEST", 413]);
	});
});
