import type { ChatEvent, ChatModel, ChatRequest, ReceiptRow } from "@stemma/core";
import { ProviderError } from "@stemma/routing";
import { createOpenAiCompatibleModel } from "@stemma/routing/openai-compatible";
import { describe, expect, it } from "vitest";
import { meterModel } from "./metered-model";
import { maxInputTokens } from "./token-bound";

const reply = {
	text: "Hello.",
	toolCalls: [],
	finishReason: "stop",
	usage: { inputTokens: 9, outputTokens: 2 },
} as const;

function createTestModel(...events: readonly (ChatEvent | Error)[]): ChatModel {
	return {
		provider: "openai-compatible",
		model: "m",
		vendorHost: "models.example",
		generate: async () => reply,
		async *stream() {
			for (const event of events) {
				if (event instanceof Error) throw event;
				yield event;
			}
		},
	};
}

function createTestMeter(model: ChatModel, payer: "none" | "deployment" = "deployment") {
	const receivedRequests: { reserved: number[]; settled: number[]; rows: ReceiptRow[] } = {
		reserved: [],
		settled: [],
		rows: [],
	};
	const metered = meterModel(
		{ model, payer, reason: "It pays." },
		{
			limitOutput: async (_, requested) => Math.min(requested ?? 1000, 1000),
			async reserve(tokens) {
				receivedRequests.reserved.push(tokens);
				return (used) => receivedRequests.settled.push(used);
			},
			toCallerError: (error) => error,
			onReceipt: (row) => receivedRequests.rows.push(row),
		},
		"answer",
	);
	return { metered, receivedRequests };
}

const request: ChatRequest = { messages: [{ role: "user", content: "Hello there" }] };

async function readAll(model: ChatModel): Promise<ChatEvent[]> {
	const events: ChatEvent[] = [];
	for await (const event of model.stream(request)) events.push(event);
	return events;
}

describe("meterModel", () => {
	it("sets tokens aside, settles what was used, and puts the row onto the reply", async () => {
		const { metered, receivedRequests } = createTestMeter(createTestModel({ type: "finish", reply }));
		const [finish] = await readAll(metered);
		expect(receivedRequests.reserved).toEqual([1000 + maxInputTokens(request)]);
		expect(receivedRequests.settled).toEqual([11]);
		expect(receivedRequests.rows).toMatchObject([{ input_tokens: 9, output_tokens: 2, payer: "deployment" }]);
		expect(receivedRequests.rows[0]).not.toHaveProperty("estimated");
		expect(finish).toMatchObject({ type: "finish", reply: { receipt: receivedRequests.rows[0] } });
	});

	it("ends an answer that is longer than anybody reads", async () => {
		const text = "x".repeat(1024 * 1024);
		const { metered, receivedRequests } = createTestMeter(
			createTestModel(...Array.from({ length: 5 }, () => ({ type: "text.delta", text }) as const)),
		);
		await expect(readAll(metered)).rejects.toMatchObject({ code: "response_too_large" });
		expect(receivedRequests.rows).toHaveLength(1);
	});

	it("asks the vendor for no more than the budget has", async () => {
		const requests: ChatRequest[] = [];
		const model = createTestModel({ type: "finish", reply });
		const { metered } = createTestMeter({
			...model,
			stream(request) {
				requests.push(request);
				return model.stream(request);
			},
		});
		await readAll(metered);
		expect(requests[0]?.maxOutputTokens).toBe(1000);
	});

	it("sets the least call aside at what it can take, whatever it asks for", async () => {
		const { metered, receivedRequests } = createTestMeter(createTestModel());
		await metered.generate({ messages: [{ role: "user", content: "x" }], maxOutputTokens: 1 });
		expect(receivedRequests.reserved[0]).toBeGreaterThan(reply.usage.inputTokens + reply.usage.outputTokens);
	});

	it("sets all that is sent aside, in every script", async () => {
		const { metered, receivedRequests } = createTestMeter(createTestModel());
		const messages = [{ role: "user", content: "港".repeat(1000) }] as const;
		const outputSchema = { type: "object", description: "x".repeat(1000) } as const;
		await metered.generate({ messages, outputSchema, maxOutputTokens: 1 });
		expect(receivedRequests.reserved[0]).toBeGreaterThan(1500);
	});

	it("estimates a call that breaks off, and says so", async () => {
		const { metered, receivedRequests } = createTestMeter(
			createTestModel({ type: "text.delta", text: "12345678" }, new Error("cut")),
		);
		await expect(readAll(metered)).rejects.toThrow("cut");
		expect(receivedRequests.rows).toMatchObject([{ input_tokens: 3, output_tokens: 2, estimated: true }]);
		expect(receivedRequests.settled).toEqual([5]);
	});

	it("counts the attempts of a call that failed", async () => {
		const error = new ProviderError("It fails.", { code: "overloaded", vendorHost: "models.example" });
		error.attempts = 3;
		const { metered, receivedRequests } = createTestMeter(createTestModel(error));
		await expect(readAll(metered)).rejects.toMatchObject({ code: error.code });
		expect(receivedRequests.rows).toMatchObject([{ attempts: 3, estimated: true }]);
	});

	it("takes the usage that an error tells of", async () => {
		const error = new ProviderError("It fails.", { code: "overloaded", vendorHost: "models.example" });
		error.usage = { inputTokens: 9, outputTokens: 4, cachedTokens: 1 };
		const { metered, receivedRequests } = createTestMeter(
			createTestModel({ type: "text.delta", text: "12345678" }, error),
		);
		await expect(readAll(metered)).rejects.toMatchObject({ code: error.code });
		expect(receivedRequests.rows).toMatchObject([{ input_tokens: 9, output_tokens: 4, cached_tokens: 1 }]);
		expect(receivedRequests.rows[0]).not.toHaveProperty("estimated");
		expect(receivedRequests.settled).toEqual([13]);
	});

	it("says what is wrong in the words of the configuration", async () => {
		const failing = (status: number): ChatModel =>
			createOpenAiCompatibleModel({
				baseUrl: "https://models.example/v1",
				apiKey: "sk-1",
				model: "m",
				fetch: async () => new Response(null, { status }),
			});
		const getError = (model: ChatModel) =>
			createTestMeter(model)
				.metered.generate(request)
				.catch((caught: unknown) => caught);
		const callerError = await getError(failing(401));
		expect(callerError).toMatchObject({
			code: "invalid_credential",
			hint: expect.stringMatching(/^Set `credential` to /),
			status: 401,
			attempts: 1,
		});
		expect(await getError(failing(302))).toMatchObject({
			message: expect.stringContaining("a key goes to `base_url` alone"),
		});
		expect(ProviderError.is(callerError)).toBe(true);
	});

	it("writes one row for a call that nobody reads to its end", async () => {
		const { metered, receivedRequests } = createTestMeter(
			createTestModel({ type: "text.delta", text: "1234" }, { type: "finish", reply }),
		);
		for await (const _ of metered.stream({ messages: [] })) break;
		expect(receivedRequests.rows).toMatchObject([{ estimated: true, output_tokens: 1 }]);
	});

	it("asks nothing of a budget for what is free", async () => {
		const { metered, receivedRequests } = createTestMeter(createTestModel({ type: "finish", reply }), "none");
		await readAll(metered);
		expect(receivedRequests.reserved).toEqual([0]);
	});

	it("calls a vendor in the caller's turn, and leaves it however the call ends", async () => {
		let inFlight = 0;
		const acquire = async () => {
			inFlight += 1;
			return () => {
				inFlight -= 1;
			};
		};
		const meterWith = (model: ChatModel, payer: "none" | "deployment" = "deployment") =>
			meterModel(
				{ model, payer, reason: "" },
				{
					acquire,
					limitOutput: async () => 10,
					reserve: async () => () => undefined,
					toCallerError: (error) => error,
					onReceipt: () => undefined,
				},
				"answer",
			);
		const events = [{ type: "text.delta", text: "1" } as const, { type: "finish", reply } as const];
		for await (const _ of meterWith(createTestModel(...events)).stream(request)) expect(inFlight).toBe(1);
		expect(inFlight).toBe(0);
		for await (const _ of meterWith(createTestModel(...events)).stream(request)) break;
		expect(inFlight).toBe(0);
		await expect(readAll(meterWith(createTestModel(new Error("cut"))))).rejects.toThrow("cut");
		await meterWith(createTestModel()).generate(request);
		expect(inFlight).toBe(0);
		for await (const _ of meterWith(createTestModel(...events), "none").stream(request))
			expect(inFlight).toBe(0);
	});

	it("makes no call that the budget refuses", async () => {
		const refuse = async (): Promise<never> => {
			throw new Error("No budget.");
		};
		const rows: ReceiptRow[] = [];
		const metered = meterModel(
			{ model: createTestModel({ type: "finish", reply }), payer: "deployment", reason: "" },
			{
				limitOutput: async () => 10,
				reserve: refuse,
				toCallerError: (error) => error,
				onReceipt: (row) => rows.push(row),
			},
			"answer",
		);
		await expect(readAll(metered)).rejects.toThrow("No budget.");
		expect(rows).toEqual([]);
	});
});
