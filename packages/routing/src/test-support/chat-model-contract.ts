import type { ChatEvent, ChatModel, ChatRequest } from "@stemma/core";
import { describe, expect, it } from "vitest";

/** A model, and requests that it answers: with text of several deltas, and with calls. */
export interface ContractSubject {
	createModel(): ChatModel;
	readonly textRequest: ChatRequest;
	readonly callsRequest: ChatRequest;
}

export async function collect(events: AsyncIterable<ChatEvent>): Promise<ChatEvent[]> {
	const collected: ChatEvent[] = [];
	for await (const event of events) collected.push(event);
	return collected;
}

function freeze<T>(value: T): T {
	if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(freeze);
	return value;
}

/** What holds for every `ChatModel`. */
export function checkChatModelContract(name: string, subject: ContractSubject): void {
	const textRequest = freeze(structuredClone(subject.textRequest));
	const callsRequest = freeze(structuredClone(subject.callsRequest));
	const { createModel } = subject;

	describe(`the contract of ChatModel: ${name}`, () => {
		it("says who answers", () => {
			const { provider, model, vendorHost } = createModel();
			expect(provider).toMatch(/^[a-z][a-z-]*$/);
			expect(model).not.toBe("");
			expect(vendorHost).not.toMatch(/[/@?#]/);
		});

		it.each([
			["text", textRequest],
			["calls", callsRequest],
		])("ends a stream of %s with one finish, whose text is that of the deltas", async (_, request) => {
			const events = await collect(createModel().stream(request));
			const finishes = events.filter(({ type }) => type === "finish");
			expect(finishes).toEqual([events.at(-1)]);
			const [finish] = finishes;
			const text = events.map((event) => (event.type === "text.delta" ? event.text : "")).join("");
			expect(finish?.type === "finish" && finish.reply.text).toBe(text);
			expect(events.every((event) => event.type === "finish" || event.text !== "")).toBe(true);
		});

		it.each([
			["text", textRequest],
			["calls", callsRequest],
		])("gives the same %s at once as in a stream", async (_, request) => {
			// Each response has an id of its own.
			const { responseId, ...reply } = await createModel().generate(request);
			const [finish] = (await collect(createModel().stream(request))).slice(-1);
			const id = responseId === undefined ? {} : { responseId: expect.not.stringMatching(/^$/) };
			expect(finish).toEqual({ type: "finish", reply: { ...reply, ...id } });
		});

		it("tells text from calls", async () => {
			const text = await createModel().generate(textRequest);
			expect(text).toMatchObject({ toolCalls: [], finishReason: "stop" });
			expect(text.text).not.toBe("");
			const calls = await createModel().generate(callsRequest);
			expect(calls.finishReason).toBe("tool_calls");
			expect(calls.toolCalls.length).toBeGreaterThan(0);
			expect(new Set(calls.toolCalls.map(({ id }) => id)).size).toBe(calls.toolCalls.length);
			for (const call of calls.toolCalls) {
				expect(callsRequest.tools?.map(({ name }) => name)).toContain(call.name);
				expect(JSON.parse(call.arguments)).toBeTypeOf("object");
			}
		});

		it("rejects with the reason of a signal that is aborted before", async () => {
			const options = { signal: AbortSignal.abort("not wanted") };
			await expect(createModel().generate(textRequest, options)).rejects.toBe("not wanted");
			await expect(collect(createModel().stream(textRequest, options))).rejects.toBe("not wanted");
		});

		it("rejects with the reason of a signal that aborts in between, without a finish", async () => {
			const controller = new AbortController();
			const types: string[] = [];
			const read = async (): Promise<void> => {
				for await (const { type } of createModel().stream(textRequest, { signal: controller.signal })) {
					types.push(type);
					controller.abort("enough");
				}
			};
			await expect(read()).rejects.toBe("enough");
			expect(types).toHaveLength(1);
			expect(types).not.toContain("finish");
		});

		it("can be left in the middle", async () => {
			for await (const event of createModel().stream(textRequest)) {
				expect(event.type).not.toBe("finish");
				break;
			}
		});
	});
}
