import { expect, it } from "vitest";
import { openMemoryDatabase } from "../http/test-support/memory-database";
import { createWorkspaceStore } from "../store/repositories/workspace-store";
import { type WorkspaceTables, workspaceMigrations } from "../store/workspace-tables";
import type { ResponseItem } from "./response-request";
import { MAX_CONVERSATION_BYTES, Responses } from "./responses";

const toMessage = (bytes: number): ResponseItem => ({
	type: "message",
	role: "user",
	content: "x".repeat(bytes),
});

it("counts the conversation before and the items that go on from it together", async () => {
	const store = createWorkspaceStore(openMemoryDatabase<WorkspaceTables>(workspaceMigrations));
	const responses = new Responses(store.responses, (error) => {
		throw error;
	});
	const half = [toMessage(MAX_CONVERSATION_BYTES / 2)];
	await responses.insert({
		...{ id: "resp_1", owner: "cl_1", parent_id: null, background: false, created_at: 1, input: half },
		// Nobody reads it to go on from the response.
		head: { instructions: "x".repeat(MAX_CONVERSATION_BYTES) },
		outcome: { status: "completed", reply: { text: "Yes.", toolCalls: [], finishReason: "stop" } },
	});
	expect(await responses.listItems("cl_1", "resp_1", [toMessage(10)])).toHaveLength(2);
	await expect(responses.listItems("cl_1", "resp_1", half)).rejects.toMatchObject({
		code: "invalid_request",
		param: "previous_response_id",
	});
});
