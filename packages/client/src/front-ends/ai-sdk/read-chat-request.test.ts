import { describe, expect, it } from "vitest";
import { readChatRequest } from "./read-chat-request";

const toMessage = (role: string, text: string) => ({ id: text, role, parts: [{ type: "text", text }] });
const read = (...messages: readonly unknown[]) => readChatRequest({ id: "chat", messages });

describe("a request of useChat", () => {
	it("has the text of the user as input", () => {
		expect(
			readChatRequest({ id: "chat", messages: [toMessage("user", "Hello?")], trigger: "submit-message" }),
		).toEqual({
			type: "run",
			chat_id: "chat",
			input: "Hello?",
		});
		expect(
			readChatRequest({ id: "c", messages: [toMessage("user", "Hello?")], context: { customer: "Ada" } }),
		).toMatchObject({ context: { customer: "Ada" } });
	});

	it("has what was said before as a conversation, without the parts that runs have added", () => {
		const answer = {
			role: "assistant",
			parts: [
				{ type: "step-start" },
				{ type: "reasoning", text: "Hm." },
				{ type: "dynamic-tool", state: "output-available", toolName: "look", toolCallId: "1" },
				{ type: "text", text: "Hello" },
				{ type: "text", text: "." },
				{ type: "source-document", sourceId: "1" },
				{ type: "data-receipt", data: [] },
			],
		};
		const failed = { role: "assistant", parts: [{ type: "step-start" }] };
		expect(read(toMessage("user", "Hello?"), answer, failed, toMessage("user", "Well?"))).toMatchObject({
			input: {
				messages: [
					{ role: "user", content: "Hello?" },
					{ role: "assistant", content: "Hello." },
					{ role: "user", content: "Well?" },
				],
			},
		});
	});

	it("has decisions on approvals", () => {
		const toToolPart = (id: string, approved: boolean, reason?: string) => ({
			type: "dynamic-tool",
			state: "approval-responded",
			approval: { id, approved, reason },
		});
		const parts = [
			toToolPart("apr_1", true),
			toToolPart("apr_2", false, "No."),
			{ type: "text", text: "Well" },
		];
		const metadata = { run_id: "run_1", seq: 7 };
		expect(read(toMessage("user", "Refund."), { role: "assistant", parts, metadata })).toEqual({
			type: "decisions",
			chat_id: "chat",
			run_id: "run_1",
			after: 7,
			decisions: [
				{ approval_id: "apr_1", decision: "approve" },
				{ approval_id: "apr_2", decision: "deny", reason: "No." },
			],
		});
		expect(read({ role: "assistant", parts })).toMatchObject({
			type: "invalid",
			param: "messages[0].metadata",
		});
	});

	const responded = (approval: object) => ({ type: "dynamic-tool", state: "approval-responded", approval });

	it("takes 10,000 messages", () => {
		const messages = Array.from({ length: 10_000 }, (_, n) =>
			toMessage(n % 2 === 0 ? "assistant" : "user", `${n}`),
		);
		expect(readChatRequest({ id: "c", messages })).toMatchObject({ type: "run" });
	});

	it.each([
		[undefined, ""],
		[[], ""],
		[{ messages: [toMessage("user", "x")] }, "id"],
		[{ id: "", messages: [toMessage("user", "x")] }, "id"],
		[{ id: "c", messages: [], trigger: "submit-message" }, "messages"],
		[{ id: "c" }, "messages"],
		[{ id: "c", messages: [toMessage("user", "x")], trigger: "resume" }, "trigger"],
		[{ id: "c", messages: [toMessage("user", "x")], context: "text" }, "context"],
		[{ id: "c", messages: ["text"] }, "messages[0]"],
		[{ id: "c", messages: [toMessage("system", "x"), toMessage("user", "x")] }, "messages[0].role"],
		[{ id: "c", messages: [{ role: "user" }] }, "messages[0].parts"],
		[{ id: "c", messages: [{ role: "user", content: "x" }] }, "messages[0].parts"],
		[
			{ id: "c", messages: [{ role: "user", parts: [{ type: "file", url: "data:," }] }] },
			"messages[0].parts[0]",
		],
		[
			{ id: "c", messages: [{ role: "user", parts: [{ type: "reasoning", text: "x" }] }] },
			"messages[0].parts[0]",
		],
		[
			{ id: "c", messages: [{ role: "assistant", parts: [{ type: "file" }] }, toMessage("user", "x")] },
			"messages[0].parts[0]",
		],
		[{ id: "c", messages: [toMessage("user", "")] }, "messages[0].parts"],
		[{ id: "c", messages: [toMessage("user", "x"), toMessage("user", "")] }, "messages[1].parts"],
		[{ id: "c", messages: [{ role: { toString: 1 }, parts: [] }] }, "messages[0].role"],
		[{ id: "c", messages: [{ role: "user", parts: [{ type: { toString: 1 } }] }] }, "messages[0].parts[0]"],
		[{ id: "c", messages: [{ role: "assistant", parts: [responded({})] }] }, "messages[0].parts[0].approval"],
		[
			{ id: "c", messages: [{ role: "assistant", parts: [responded({ id: "apr_1" })] }] },
			"messages[0].parts[0].approval",
		],
		[{ id: "c", messages: [toMessage("user", "x"), toMessage("assistant", "y")] }, "messages[1]"],
	])("is invalid: %j", (body, param) => {
		expect(readChatRequest(body)).toMatchObject({ type: "invalid", param });
	});
});
