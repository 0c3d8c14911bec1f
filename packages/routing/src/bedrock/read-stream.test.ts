import type { ChatEvent } from "@stemma/core";
import { encodeEvent } from "@stemma/simulators/bedrock";
import { describe, expect, it } from "vitest";
import { ProviderError } from "../provider-error";
import { collect } from "../test-support/chat-model-contract";
import { createBedrockModel } from "./create";

type Frames = AsyncGenerator<Uint8Array> | Generator<Uint8Array>;
const event = (type: string, payload: unknown): Uint8Array =>
	encodeEvent(
		{ ":message-type": "event", ":event-type": type },
		typeof payload === "string" ? payload : JSON.stringify(payload),
	);
const exception = (type: string): Uint8Array =>
	encodeEvent({ ":message-type": "exception", ":exception-type": type }, '{"message":"x"}');

const UNKNOWN = event("heartbeat", {});
const TEXT = event("contentBlockDelta", { contentBlockIndex: 0, delta: { text: "Hi." } });
const STOP = event("messageStop", { stopReason: "end_turn" });
const MALFORMED = event("messageStop", { stopReason: "malformed_tool_use" });
const METADATA = event("metadata", { usage: { inputTokens: 9, outputTokens: 7 } });
const REPLY = { text: "Hi.", toolCalls: [], finishReason: "stop", attempts: 1 };
const USAGE = { inputTokens: 9, outputTokens: 7 };

const toBody = (frames: Frames): ReadableStream<Uint8Array> =>
	new ReadableStream({
		async pull(controller) {
			const { value, done } = await frames.next();
			if (done) controller.close();
			else controller.enqueue(new Uint8Array(value));
		},
		async cancel() {
			await frames.return(undefined);
		},
	});

const EVENT_STREAM = { "content-type": "application/vnd.amazon.eventstream" };
function read(
	frames: Frames,
	idleTimeoutMs = 60_000,
	signal?: AbortSignal,
	onSignal: (signal: AbortSignal) => void = () => undefined,
): Promise<ChatEvent[]> {
	const model = createBedrockModel({
		baseUrl: "https://bedrock-runtime.eu-central-1.amazonaws.com",
		model: "eu.amazon.nova-lite-v1:0",
		credential: { apiKey: "bedrock-api-key" },
		fetch: async (_, init) => {
			if (init.signal) onSignal(init.signal);
			return new Response(toBody(frames), { headers: EVENT_STREAM });
		},
		timeouts: { idleTimeoutMs },
	});
	return collect(model.stream({ messages: [{ role: "user", content: "Hi" }] }, { signal }));
}

async function failureOf(promise: Promise<unknown>): Promise<ProviderError> {
	const error = await promise.then(
		() => new Error("It did not fail."),
		(caught: unknown) => caught,
	);
	if (!ProviderError.is(error)) throw error;
	return error;
}

function* once(...frames: Uint8Array[]): Generator<Uint8Array> {
	yield* frames;
}
/** Some frames, and then one again and again for longer than any test. */
async function* sendByteByByte(frames: readonly Uint8Array[], frame: Uint8Array): AsyncGenerator<Uint8Array> {
	yield* frames;
	for (;;) {
		await new Promise((resolve) => setTimeout(resolve, 5));
		yield frame;
	}
}

describe("a stream falls silent", () => {
	const START = event("contentBlockStart", { contentBlockIndex: 1, start: { toolUse: { name: "faq" } } });
	it.each([
		["what is not known", UNKNOWN],
		["its beginning", event("messageStart", { role: "assistant" })],
		["ends of blocks", event("contentBlockStop", { contentBlockIndex: 0 })],
		["deltas without text", event("contentBlockDelta", { contentBlockIndex: 0, delta: { text: "" } })],
		[
			"input without text",
			event("contentBlockDelta", { contentBlockIndex: 1, delta: { toolUse: { input: "" } } }),
		],
	])("where it repeats %s", async (_, frame) => {
		expect((await failureOf(read(sendByteByByte([TEXT, START], frame), 60))).code).toBe("timeout");
	});

	it("and not where it speaks, however long it takes", async () => {
		async function* sendFrames(): AsyncGenerator<Uint8Array> {
			for (let count = 0; count < 60; count++) {
				await new Promise((resolve) => setTimeout(resolve, 5));
				yield TEXT;
			}
			yield* [STOP, METADATA];
		}
		expect((await read(sendFrames(), 200)).at(-1)).toMatchObject({
			reply: { text: "Hi.".repeat(60), usage: USAGE },
		});
	});
});

describe("a complete answer stands", () => {
	it.each([
		["metadata that is no JSON", event("metadata", "{")],
		["metadata that is no object", event("metadata", "[]")],
		["metadata without usage", event("metadata", {})],
		["metadata with nonsense", event("metadata", { usage: { inputTokens: -1, outputTokens: "many" } })],
		["damage", Uint8Array.from({ length: 30 }, () => 7)],
		["half a message", METADATA.subarray(0, 20)],
		["a message of no known kind", encodeEvent({ ":message-type": "news" }, "")],
		["input of a call that never began", event("contentBlockDelta", { delta: { toolUse: { input: "{" } } })],
	])("with %s behind its end, in the same piece or not", async (_, frame) => {
		for (const frames of [[TEXT, STOP, frame], [Buffer.concat([TEXT, STOP, frame])]])
			expect((await read(once(...frames))).at(-1)).toEqual({ type: "finish", reply: REPLY });
	});

	it("where its usage dribbles in for ever", async () => {
		expect((await read(sendByteByByte([TEXT, STOP], UNKNOWN), 60)).at(-1)).toEqual({
			type: "finish",
			reply: REPLY,
		});
		expect((await read(sendByteByByte([TEXT, STOP], Uint8Array.of(0)), 60)).at(-1)).toMatchObject({
			reply: REPLY,
		});
	});

	it("with its usage, where that comes behind what is not known", async () => {
		expect((await read(once(TEXT, STOP, UNKNOWN, METADATA))).at(-1)).toEqual({
			type: "finish",
			reply: { ...REPLY, usage: USAGE },
		});
	});

	it("unless the caller wants it no more", async () => {
		const controller = new AbortController();
		async function* abort(): AsyncGenerator<Uint8Array> {
			yield* [TEXT, STOP];
			controller.abort("enough");
			yield* sendByteByByte([], UNKNOWN);
		}
		await expect(read(abort(), 60_000, controller.signal)).rejects.toBe("enough");
	});

	it("unless the vendor says that it does not", async () => {
		for (const frames of [
			[TEXT, STOP, exception("throttlingException")],
			[Buffer.concat([TEXT, STOP, exception("throttlingException")])],
		])
			expect((await failureOf(read(once(...frames)))).code).toBe("rate_limited");
	});
});

it("fails as the vendor says, whatever comes behind that", async () => {
	const frames = Buffer.concat([
		TEXT,
		exception("throttlingException"),
		Uint8Array.from({ length: 30 }, () => 7),
	]);
	expect((await failureOf(read(once(frames)))).code).toBe("rate_limited");
});

it("stops nothing once the answer is complete, however the rest dribbles in", async () => {
	async function* keepSendingBytes(): AsyncGenerator<Uint8Array> {
		yield* [TEXT, STOP];
		for (const byte of event("metadata", { padding: "x".repeat(1000) })) {
			await new Promise((resolve) => setTimeout(resolve, 5));
			yield Uint8Array.of(byte);
		}
	}
	let isStopped = false;
	const onSignal = (signal: AbortSignal): void =>
		signal.addEventListener("abort", () => {
			isStopped = true;
		});
	expect((await read(keepSendingBytes(), 60, undefined, onSignal)).at(-1)).toEqual({
		type: "finish",
		reply: REPLY,
	});
	// Twice as long as a silence may be.
	await new Promise((resolve) => setTimeout(resolve, 120));
	expect(isStopped).toBe(false);
});

describe("a failure tells what it cost", () => {
	it("where the model wrote what cannot be read", async () => {
		for (const frames of [[TEXT, MALFORMED, METADATA], [Buffer.concat([TEXT, MALFORMED, METADATA])]])
			expect(await failureOf(read(once(...frames)))).toMatchObject({ code: "bad_response", usage: USAGE });
		expect((await failureOf(read(once(TEXT, MALFORMED)))).usage).toBeUndefined();
	});

	it("where the usage came before it", async () => {
		const error = await failureOf(read(once(TEXT, METADATA, exception("modelStreamErrorException"))));
		expect(error).toMatchObject({ code: "overloaded", usage: USAGE });
		expect(await failureOf(read(once(METADATA)))).toMatchObject({ code: "stream_truncated", usage: USAGE });
	});
});
