import { describe, expect, it, vi } from "vitest";
import { type Answer, type AskEvent, ask, ConnectionError, NotConfiguredError, StreamError } from "../index";
import { CLIENT_KEY, clientOf, useTestServer } from "../test-support/test-client";
import {
	closeConnection,
	respondWithError,
	respondWithEvents,
	respondWithHtml,
	respondWithJson,
	sendEvents,
} from "../test-support/test-server";

const server = useTestServer();
const request = { question: "How long?", knowledge_base_ids: ["kb_1"] };
const answer: Answer = {
	answer: "Five days [1].",
	citations: [],
	passages: [],
	receipt: [],
	usage: { input_tokens: 1, output_tokens: 1, model_calls: 1, steps: 1 },
};
const events: readonly AskEvent[] = [
	{ type: "ask.passages", seq: 1, passages: [] },
	{ type: "text.delta", seq: 2, text: "Five days [1]." },
	{ type: "ask.completed", seq: 3, answer },
];
const failed: AskEvent = {
	type: "ask.failed",
	seq: 2,
	error: { code: "unreachable", message: "No.", hint: "Do." },
};

describe("ask", () => {
	it("gives the answer, streamed inside", async () => {
		server().on("POST /v1/ask", respondWithEvents(events));
		const given = await ask(clientOf(server()))(request);
		expect(given).toEqual(answer);
		expect(given.requestId).toBe("req_1");
		expect(server().requests[0]?.headers.accept).toBe("text/event-stream");
		expect(server().requests[0]?.json()).toEqual(request);
	});

	it("tells a failure that nobody waits for, as every promise does", async () => {
		server().on("POST /v1/ask", respondWithError(404, { code: "knowledge_base_not_found" }));
		const unhandledRejection = new Promise((resolve) => process.once("unhandledRejection", resolve));
		void ask(clientOf(server()))(request);
		expect(await unhandledRejection).toMatchObject({ code: "knowledge_base_not_found" });
	});

	it("takes an answer that comes whole", async () => {
		server().on("POST /v1/ask", respondWithJson(answer));
		expect(await ask(clientOf(server()))(request)).toEqual(answer);
	});

	it("rejects with the service's error", async () => {
		server().on("POST /v1/ask", respondWithError(501, { code: "encryption_not_configured" }));
		await expect(ask(clientOf(server()))(request)).rejects.toSatisfy(NotConfiguredError.is);
	});

	it("is asked again when it was refused at the door, not when it may have begun", async () => {
		server().sequence("POST /v1/ask", respondWithError(503, { code: "shutting_down" }), closeConnection);
		await expect(ask(clientOf(server()))(request)).rejects.toSatisfy(ConnectionError.is);
		expect(server().requests).toHaveLength(2);
	});

	it("says so when something else than the service answers", async () => {
		server().on("POST /v1/ask", respondWithHtml);
		await expect(ask(clientOf(server()))(request)).rejects.toMatchObject({ code: "invalid_response" });
		expect(server().requests).toHaveLength(1);
	});

	it("rejects with what the stream says", async () => {
		server().on("POST /v1/ask", respondWithEvents([events[0] as AskEvent, failed]));
		const error = await ask(clientOf(server()))(request).catch((thrown: unknown) => thrown);
		expect(error).toSatisfy(StreamError.is);
		expect(error).toMatchObject({ code: "unreachable", message: "No.", hint: "Do.", requestId: "req_1" });
	});
});

describe("ask.stream", () => {
	it("gives typed events, the answer and its text", async () => {
		server().on("POST /v1/ask", respondWithEvents(events));
		const stream = ask(clientOf(server())).stream(request);
		const seen: AskEvent[] = [];
		for await (const event of stream) seen.push(event);
		expect(seen).toEqual(events);
		expect(await stream.answer()).toEqual(answer);
		expect(await stream.text()).toBe("Five days [1].");
	});

	it("ends with ask.failed, and fails the answer", async () => {
		server().on("POST /v1/ask", respondWithEvents([failed]));
		const stream = ask(clientOf(server())).stream(request);
		const types: string[] = [];
		for await (const { type } of stream) types.push(type);
		expect(types).toEqual(["ask.failed"]);
		await expect(stream.text()).rejects.toMatchObject({ code: "unreachable" });
	});

	it.each<readonly [string, object, object]>([
		["no error", {}, { code: "stream_invalid", hint: expect.stringContaining("`baseUrl`") }],
		["an error that is a text", { error: "no" }, { code: "stream_invalid" }],
		["an error without a text", { error: { message: 7 } }, { code: "stream_failed" }],
		[
			"the credential",
			{ error: { code: "c", message: `Not ${CLIENT_KEY}`, hint: CLIENT_KEY } },
			{ code: "c", message: "Not [redacted]", hint: "[redacted]" },
		],
	])("fails as a StreamError with %s", async (_, failure, expected) => {
		server().on("POST /v1/ask", respondWithEvents([{ type: "ask.failed", seq: 1, ...failure } as never]));
		await expect(ask(clientOf(server()))(request)).rejects.toMatchObject({
			...expected,
			name: "StreamError",
			requestId: "req_1",
		});
	});

	it("is a StreamError where it ends without an answer", async () => {
		server().on("POST /v1/ask", respondWithEvents([{ type: "ask.completed", seq: 1 } as never]));
		const stream = ask(clientOf(server())).stream(request);
		await expect(stream.text()).rejects.toMatchObject({ name: "StreamError", code: "stream_invalid" });
	});

	it("does not rejoin: a cut fails reading and the answer", async () => {
		server().on("POST /v1/ask", respondWithEvents(events.slice(0, 2)));
		const stream = ask(clientOf(server())).stream(request);
		const reading = (async () => {
			for await (const _ of stream);
		})();
		await expect(reading).rejects.toMatchObject({ code: "stream_cut_off" });
		await expect(stream.answer()).rejects.toMatchObject({ code: "stream_cut_off" });
		expect(server().requests).toHaveLength(1);
	});

	it.each(["leaving the loop", "close", "abort"])("%s ends the call", async (action) => {
		const closed = vi.fn();
		server().on("POST /v1/ask", (_, response) => {
			sendEvents(response, events.slice(0, 2));
			response.on("close", closed);
		});
		const controller = new AbortController();
		const stream = ask(clientOf(server())).stream(request, { signal: controller.signal });
		const reading = (async () => {
			for await (const { type } of stream) {
				if (type !== "text.delta") continue;
				if (action === "leaving the loop") break;
				if (action === "close") stream.close();
				else controller.abort("enough");
			}
		})();
		if (action === "abort") await expect(reading).rejects.toBe("enough");
		else await reading;
		await expect.poll(() => closed).toHaveBeenCalled();
		if (action === "abort") await expect(stream.answer()).rejects.toBe("enough");
		else await expect(stream.answer()).rejects.toMatchObject({ code: "stream_closed" });
	});
});
