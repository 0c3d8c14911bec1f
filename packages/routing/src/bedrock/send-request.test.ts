import type { ChatReply, ChatRequest } from "@stemma/core";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ProviderError } from "../provider-error";
import { createBedrockModel } from "./create";
import type { BedrockOptions } from "./options";

const KEYS = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" };
const HOUR_MS = 3_600_000;
const ask = (content: string): ChatRequest => ({ messages: [{ role: "user", content }] });
const REPLY = { output: { message: { content: [{ text: "Hi." }] } }, stopReason: "end_turn" };
const respond = (): Response => Response.json(REPLY);
const respondWithError = (message: string, status = 400, headers: Record<string, string> = {}): Response =>
	Response.json({ message }, { status, headers });
const respondWithUnsupportedField = (field: string): Response =>
	respondWithError(`This model doesn't support the ${field} field. Remove ${field} and try again.`);

interface Body {
	readonly messages: readonly { readonly content: readonly { readonly text?: string }[] }[];
	readonly inferenceConfig?: { readonly temperature?: number };
	readonly outputConfig?: object;
	readonly system?: object;
	readonly toolConfig?: object;
}
const bodyOf = (init: RequestInit): Body => JSON.parse(String(init.body)) as Body;

const createModel = (
	fetch: (url: string, init: RequestInit) => Response | Promise<Response>,
	credential: BedrockOptions["credential"] = KEYS,
) =>
	createBedrockModel({
		baseUrl: "https://bedrock-runtime.eu-central-1.amazonaws.com",
		model: "eu.amazon.nova-lite-v1:0",
		credential,
		fetch: async (url, init) => fetch(url, init),
	});

async function failureOf(promise: Promise<ChatReply>): Promise<ProviderError> {
	const error = await promise.then(
		() => new Error("It did not fail."),
		(caught: unknown) => caught,
	);
	if (!ProviderError.is(error)) throw error;
	return error;
}

const FORMAT = { outputSchema: { type: "object", properties: {}, additionalProperties: false } } as const;

describe("fields that a model does not take", () => {
	it("are found out side by side, and all are remembered", async () => {
		let respondSlowly: () => void = () => undefined;
		const isQuickDone = new Promise<void>((resolve) => {
			respondSlowly = resolve;
		});
		const sent: Body[] = [];
		const model = createModel(async (_, init) => {
			const body = bodyOf(init);
			sent.push(body);
			if (body.inferenceConfig?.temperature !== undefined) return respondWithUnsupportedField("temperature");
			if (body.outputConfig !== undefined) return respondWithUnsupportedField("outputConfig");
			if (body.messages[0]?.content[0]?.text === "slow") await isQuickDone;
			return respond();
		});
		const slow = model.generate({ ...ask("slow"), ...FORMAT });
		await expect.poll(() => sent.length).toBe(2);
		expect((await model.generate({ ...ask("quick"), temperature: 1 })).attempts).toBe(2);
		respondSlowly();
		expect((await slow).attempts).toBe(2);
		expect((await model.generate({ ...ask("both"), ...FORMAT, temperature: 1 })).attempts).toBe(1);
	});

	it("are three for one call at the most", async () => {
		const model = createModel((url, { body }) => {
			if (url.endsWith("-stream") && String(body).includes("toolConfig"))
				return respondWithError("No tool use in streaming mode: not supported.");
			const field = ["temperature", "outputConfig", "system", "status"].find((name) =>
				String(body).includes(`"${name}"`),
			);
			return field === undefined ? respond() : respondWithUnsupportedField(field);
		});
		const messages = [
			...ask("Hi").messages,
			{ role: "assistant", content: "", toolCalls: [{ id: "a", name: "faq", arguments: "{}" }] },
			{ role: "tool", callId: "a", name: "faq", content: "No.", isError: true },
		] as const;
		const tools = [{ name: "faq", parameters: {} }];
		const all = { ...FORMAT, messages, tools, system: "Be kind.", temperature: 1 };
		expect(await failureOf(model.generate(all))).toMatchObject({ code: "bad_request", attempts: 4 });
		expect((await model.generate({ ...all, messages: ask("Hi").messages })).attempts).toBe(4);
		expect((await model.generate(all)).attempts).toBe(2);
	});
});

describe("the vendor's clock", () => {
	afterEach(() => {
		vi.useRealTimers();
	});
	const NOW = Date.UTC(2026, 10, 21, 12);
	const toDate = (offsetMs: number): string => new Date(NOW + offsetMs).toUTCString();
	const respondWithSkew = (date: string): Response =>
		respondWithError("Signature expired.", 403, { date, "x-amzn-errortype": "InvalidSignatureException" });

	/** What the requests were signed for, as an offset to this machine's time. */
	function createClocked(...responses: Response[]) {
		vi.useFakeTimers({ now: NOW, toFake: ["Date"] });
		const offsets: number[] = [];
		const model = createModel((_, { headers }) => {
			const signed = new Headers(headers).get("x-amz-date") ?? "";
			const [, ...parts] = /(....)(..)(..)T(..)(..)(..)Z/.exec(signed) ?? [];
			const [year = 0, month = 0, ...rest] = parts.map(Number);
			offsets.push(Date.UTC(year, month - 1, ...rest) - NOW);
			return responses.shift() ?? respond();
		});
		return { model, offsets };
	}

	it("is kept once a call by it was answered", async () => {
		const { model, offsets } = createClocked(respondWithSkew(toDate(HOUR_MS)));
		expect((await model.generate(ask("a"))).attempts).toBe(2);
		expect((await model.generate(ask("b"))).attempts).toBe(1);
		expect(offsets).toEqual([0, HOUR_MS, HOUR_MS]);
	});

	it.each([
		"+275760-09-13T00:00:00.000Z",
		toDate(48 * HOUR_MS),
		toDate(-48 * HOUR_MS),
		"2026-11-21T13:00:00Z",
	])("is not believed where it says %s", async (date) => {
		const { model, offsets } = createClocked(respondWithSkew(date));
		expect(await failureOf(model.generate(ask("a")))).toMatchObject({ code: "clock_skew", attempts: 1 });
		expect((await model.generate(ask("b"))).attempts).toBe(1);
		expect(offsets).toEqual([0, 0]);
	});

	it("is forgotten where it does not help", async () => {
		const { model, offsets } = createClocked(
			respondWithSkew(toDate(HOUR_MS)),
			respondWithSkew(toDate(2 * HOUR_MS)),
		);
		expect(await failureOf(model.generate(ask("a")))).toMatchObject({ code: "clock_skew", attempts: 2 });
		await model.generate(ask("b"));
		expect(offsets).toEqual([0, HOUR_MS, 0]);
	});

	it("is of no use to an API key", async () => {
		const model = createModel(() => respondWithSkew(new Date().toUTCString()), { apiKey: "bedrock-api-key" });
		expect(await failureOf(model.generate(ask("a")))).toMatchObject({ code: "clock_skew", attempts: 1 });
	});
});

describe("a setting that must be kept", () => {
	it.each([
		[{ seed: 7 }, "seed"],
		[{ frequencyPenalty: 1 }, "frequencyPenalty"],
		[{ presencePenalty: 1 }, "presencePenalty"],
		[{ logitBias: { 42: 1 } }, "logitBias"],
		[{ reasoningEffort: "low" }, "reasoningEffort"],
		[{ verbosity: "low" }, "verbosity"],
		[{ parallelToolCalls: false }, "parallelToolCalls"],
		[{ temperature: 1.5 }, "temperature"],
	])("%j, for which there is no field, is refused before anything is sent", async (settings, field) => {
		const fetch = vi.fn(respond);
		const error = await failureOf(createModel(fetch).generate({ ...ask("Hi"), settings }));
		expect([error.code, error.field, error.attempts]).toEqual(["unsupported_parameter", field, 0]);
		expect(fetch).not.toHaveBeenCalled();
	});

	it("the name of a message, for which there is no field, is refused before anything is sent", async () => {
		const fetch = vi.fn(respond);
		const messages = [{ role: "user" as const, content: "Hi", name: "ada" }];
		const error = await failureOf(createModel(fetch).generate({ messages }));
		expect([error.code, error.field, error.attempts]).toEqual(["unsupported_parameter", "messages.name", 0]);
		expect(fetch).not.toHaveBeenCalled();
	});

	it.each([
		["This model doesn't support the topP field. Remove topP and try again.", "topP"],
		["This model doesn't support the stopSequences field. Remove stopSequences and try again.", "stop"],
		["`temperature` and `top_p` cannot both be specified for this model.", "temperature"],
	])("ends the call where the model refuses it: %s", async (message, field) => {
		const settings = { temperature: 0.5, topP: 0.5, stop: ["END"] };
		const model = createModel(() => respondWithError(message));
		const error = await failureOf(model.generate({ ...ask("Hi"), settings }));
		expect([error.code, error.field, error.attempts]).toEqual(["unsupported_parameter", field, 1]);
	});
});

it("tells the model in words of a choice that it has no field for, and remembers it", async () => {
	const sent: Body[] = [];
	const model = createModel((_, init) => {
		sent.push(bodyOf(init));
		const isChosen = JSON.stringify(sent.at(-1)?.toolConfig).includes("toolChoice");
		return isChosen ? respondWithUnsupportedField("toolConfig.toolChoice.any") : respond();
	});
	const request = {
		...ask("Hi"),
		tools: [{ name: "faq", parameters: { type: "object" } }],
		toolChoice: "required",
	} as const;
	expect((await model.generate(request)).attempts).toBe(2);
	expect((await model.generate(request)).attempts).toBe(1);
	expect(JSON.stringify(sent.at(-1)?.system)).toContain("at least one of the tools");
});
