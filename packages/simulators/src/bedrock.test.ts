import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { connect } from "node:net";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { Sha256 } from "@aws-crypto/sha256-js";
import {
	AccessDeniedException,
	BedrockRuntimeClient,
	type BedrockRuntimeClientConfig,
	BedrockRuntimeServiceException,
	type ContentBlock,
	ConverseCommand,
	type ConverseCommandInput,
	ConverseStreamCommand,
	type ConverseStreamOutput,
	InternalServerException,
	ModelErrorException,
	ModelStreamErrorException,
	ModelTimeoutException,
	ResourceNotFoundException,
	ServiceUnavailableException,
	ThrottlingException,
	ValidationException,
} from "@aws-sdk/client-bedrock-runtime";
import { SignatureV4 } from "@smithy/signature-v4";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SimulatedReply, StreamFault } from "./bedrock/behaviour";
import {
	type BedrockSimulator,
	type BedrockSimulatorOptions,
	startBedrockSimulator,
} from "./bedrock/simulator";

const MODEL = "us.example.writer-v1:0";
const PROFILE = "arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/abc123def456";
const LONG_TERM = { accessKeyId: "AKIDLONGTERM", secretAccessKey: "secret-of-the-long-term-key" };
const SESSION = {
	accessKeyId: "ASIDSESSION",
	secretAccessKey: "secret-of-the-session",
	sessionToken: "t0ken/+=",
};
const EXPIRED = { accessKeyId: "ASIDEXPIRED", secretAccessKey: "secret-of-old", sessionToken: "old" };
const BEARER = "bedrock-api-key-test";
const OPTIONS: BedrockSimulatorOptions = {
	credentials: [LONG_TERM, SESSION, { ...EXPIRED, isExpired: true }],
	bearerKeys: [BEARER],
	now: () => vendorTime ?? new Date(),
	models: {
		enabled: [MODEL, PROFILE, "example.plain-v1:0"],
		separateToolTurns: ["example.plain-v1:0"],
		notEnabled: ["example.shy-v1:0"],
		profileOnly: ["example.writer-v1:0"],
	},
};

/** Minutes and more off, where a test says so. */
let vendorTime: Date | undefined;
let simulator: BedrockSimulator;
let client: BedrockRuntimeClient;
beforeEach(async () => {
	vendorTime = undefined;
	// It would win over the credentials that the tests pass.
	vi.stubEnv("AWS_BEARER_TOKEN_BEDROCK", undefined);
	simulator = await startBedrockSimulator(OPTIONS);
	client = clientWith();
});
afterEach(async () => {
	vi.unstubAllEnvs();
	client.destroy();
	await simulator.close();
});

// By itself the client speaks HTTP/2, which the simulator does not; the other handler comes with the client.
const ofClient = createRequire(import.meta.resolve("@aws-sdk/client-bedrock-runtime"));
const { NodeHttpHandler } = ofClient("@smithy/node-http-handler") as {
	NodeHttpHandler: new () => NonNullable<BedrockRuntimeClientConfig["requestHandler"]>;
};

function clientWith(options: BedrockRuntimeClientConfig = {}) {
	return new BedrockRuntimeClient({
		region: "us-east-1",
		endpoint: simulator.baseUrl,
		credentials: LONG_TERM,
		maxAttempts: 1,
		requestHandler: new NodeHttpHandler(),
		...options,
	});
}

const user = (...content: ContentBlock[]) => ({ role: "user" as const, content });
const assistant = (...content: ContentBlock[]) => ({ role: "assistant" as const, content });
const HELLO: ConverseCommandInput = { modelId: MODEL, messages: [user({ text: "Hello?" })] };
const TOOLS = {
	tools: [
		{ toolSpec: { name: "weather", description: "The weather.", inputSchema: { json: { type: "object" } } } },
	],
};
const call = (toolUseId: string) => ({ toolUse: { toolUseId, name: "weather", input: {} } });
const result = (toolUseId: string) => ({ toolResult: { toolUseId, content: [{ text: "Sunny." }] } });

const converse = (input: object = {}, by = client) => by.send(new ConverseCommand({ ...HELLO, ...input }));
const failureOf = (input: object = {}, by = client) => converse(input, by).catch((error: unknown) => error);

async function stream(input: object = {}): Promise<ConverseStreamOutput[]> {
	const { stream: events } = await client.send(new ConverseStreamCommand({ ...HELLO, ...input }));
	const all: ConverseStreamOutput[] = [];
	for await (const event of events ?? []) all.push(event);
	return all;
}
const textOf = (events: readonly ConverseStreamOutput[]) =>
	events.map((event) => event.contentBlockDelta?.delta?.text ?? "").join("");

describe("with the official client", () => {
	it("answers text with usage", async () => {
		const usage = { inputTokens: 9, outputTokens: 3, cacheReadInputTokens: 20, cacheWriteInputTokens: 8 };
		simulator.enqueue({ kind: "reply", text: "Hello there.", usage });
		const { output, stopReason, ...rest } = await converse({ system: [{ text: "Be brief." }] });
		expect(output?.message).toEqual({ role: "assistant", content: [{ text: "Hello there." }] });
		expect(stopReason).toBe("end_turn");
		expect(rest.usage).toEqual({ ...usage, totalTokens: 40 });
		expect(rest.$metadata.requestId).toMatch(/^[0-9a-f-]{36}$/);
		expect(simulator.requests[0]).toMatchObject({
			path: "/model/us.example.writer-v1%3A0/converse",
			operation: { name: "converse", modelId: MODEL },
			credential: { kind: "signature", accessKeyId: "AKIDLONGTERM" },
			body: { messages: HELLO.messages, system: [{ text: "Be brief." }] },
			isAborted: false,
		});
	});

	it("streams text: no start of its block, the usage after the stop", async () => {
		const reasoning = { text: "They greet.", signature: "c2ln" };
		simulator.enqueue({ kind: "reply", reasoning, text: "It is sunny in Lisbon. 🌞🌞🌞🌞🌞" });
		const events = await stream();
		expect(events.map((event) => Object.keys(event)[0])).toEqual([
			"messageStart",
			...Array(3).fill("contentBlockDelta"),
			"contentBlockStop",
			...Array(4).fill("contentBlockDelta"),
			"contentBlockStop",
			"messageStop",
			"metadata",
		]);
		expect(textOf(events)).toBe("It is sunny in Lisbon. 🌞🌞🌞🌞🌞");
		const thoughts = events.map((event) => event.contentBlockDelta?.delta?.reasoningContent);
		expect(thoughts.map((thought) => thought?.text ?? "").join("")).toBe("They greet.");
		expect(thoughts.find((thought) => thought?.signature)).toEqual({ signature: "c2ln" });
		expect(events.at(-1)?.metadata?.usage?.totalTokens).toBeGreaterThan(0);
	});

	it("pads the payloads of events", async () => {
		const response = await post({ authorization: `Bearer ${BEARER}` }, "converse-stream");
		expect(response.headers.get("content-type")).toBe("application/vnd.amazon.eventstream");
		expect(await response.text()).toContain('{"role":"assistant","p":"abc"}');
	});

	it("streams the input of calls in pieces, and takes the results back", async () => {
		simulator.enqueue({
			kind: "reply",
			text: "Let me see.",
			toolCalls: [
				{ id: "a", name: "weather", input: { city: "Lisbon" } },
				{ id: "b", name: "weather", input: {} },
			],
		});
		const events = await stream({ toolConfig: TOOLS });
		const starts = events.flatMap((event) => event.contentBlockStart ?? []);
		expect(starts.map(({ contentBlockIndex, start }) => [contentBlockIndex, start?.toolUse])).toEqual([
			[1, { toolUseId: "a", name: "weather" }],
			[2, { toolUseId: "b", name: "weather" }],
		]);
		const inputs = ["", "", ""];
		for (const { contentBlockDelta: part } of events)
			inputs[part?.contentBlockIndex ?? 0] += part?.delta?.toolUse?.input ?? "";
		expect(inputs).toEqual(["", '{"city":"Lisbon"}', ""]);
		const ofCalls = events.flatMap(({ contentBlockDelta: part }) => part?.delta?.toolUse?.input ?? []);
		expect(ofCalls).toEqual(["", '{"city"', ':"Lisbo', 'n"}', ""]);
		expect(events.at(-2)?.messageStop?.stopReason).toBe("tool_use");

		const messages = [
			...(HELLO.messages ?? []),
			assistant({ text: "Let me see." }, call("a"), call("b")),
			user(result("a"), {
				toolResult: { toolUseId: "b", content: [{ json: { sky: "blue" } }], status: "error" },
			}),
		];
		const next = await converse({ messages, toolConfig: TOOLS });
		expect(next.output?.message?.content?.[0]?.text).toContain("Sunny.");
	});

	it("answers reasoning and calls in one body", async () => {
		simulator.enqueue({
			kind: "reply",
			reasoning: { redactedContent: "c2VjcmV0" },
			toolCalls: [{ name: "weather", input: { city: "Porto" } }],
		});
		const { output, stopReason } = await converse({ toolConfig: TOOLS });
		const [thought, asked, ...more] = output?.message?.content ?? [];
		expect(thought?.reasoningContent?.redactedContent).toEqual(new Uint8Array(Buffer.from("secret")));
		expect(asked?.toolUse).toMatchObject({ name: "weather", input: { city: "Porto" } });
		expect(asked?.toolUse?.toolUseId).toMatch(/^tooluse_/);
		expect([more, stopReason]).toEqual([[], "tool_use"]);
	});

	it.each([
		["a session", { credentials: SESSION }, { accessKeyId: "ASIDSESSION", sessionToken: "t0ken/+=" }],
		["an API key", { token: { token: BEARER }, authSchemePreference: ["httpBearerAuth"] }, { key: BEARER }],
	])("lets %s in", async (_, options, credential) => {
		await converse({}, clientWith(options));
		expect(simulator.requests[0]?.credential).toMatchObject(credential);
	});

	it("takes an ARN as a model", async () => {
		await converse({ modelId: PROFILE });
		expect(simulator.requests[0]?.operation?.modelId).toBe(PROFILE);
		expect(simulator.requests[0]?.path).toContain("application-inference-profile%2Fabc123def456/converse");
	});

	it.each([
		[400, ValidationException],
		[403, AccessDeniedException],
		[404, ResourceNotFoundException],
		[408, ModelTimeoutException],
		[424, ModelErrorException],
		[429, ThrottlingException],
		[500, InternalServerException],
		[503, ServiceUnavailableException],
	])("fails with status %i", async (status, errorClass) => {
		simulator.enqueue({ kind: "failure", status, message: "On purpose.", retryAfter: 7 });
		const error = (await failureOf()) as BedrockRuntimeServiceException;
		expect(error).toBeInstanceOf(errorClass);
		expect(error.message).toBe("On purpose.");
		expect(error.$metadata.httpStatusCode).toBe(status);
		expect(error.$response?.headers["retry-after"]).toBe("7");
	});

	it("fails with members, types and bodies of choice", async () => {
		simulator.enqueue({ kind: "failure", status: 424, members: { originalStatusCode: 529 } });
		expect(await failureOf()).toMatchObject({ name: "ModelErrorException", originalStatusCode: 529 });
		simulator.enqueue({ kind: "failure", status: 429, type: "ModelNotReadyException" });
		expect(await failureOf()).toMatchObject({ name: "ModelNotReadyException" });
		simulator.enqueue({ kind: "failure", status: 502, headers: { "x-amzn-errortype": "" }, body: "<html>" });
		expect(await failureOf()).toMatchObject({ $metadata: { httpStatusCode: 502 } });
	});
});

const reply = (fault: StreamFault): SimulatedReply => ({ kind: "reply", text: "A longer answer.", fault });

describe("breaks streams", () => {
	it.each([
		["internalServerException", InternalServerException],
		["modelStreamErrorException", ModelStreamErrorException],
		["validationException", ValidationException],
		["throttlingException", ThrottlingException],
		["serviceUnavailableException", ServiceUnavailableException],
	] as const)("with %s", async (exception, errorClass) => {
		simulator.enqueue(reply({ kind: "exception", exception, after: 2, message: "Too much." }));
		const error = await stream().catch((caught: unknown) => caught);
		expect(error).toBeInstanceOf(errorClass);
		expect(error).toMatchObject({ message: "Too much." });
	});

	it("with what the model's own server said", async () => {
		const original = { originalStatusCode: 529, originalMessage: "Overloaded" };
		simulator.enqueue(reply({ kind: "exception", exception: "modelStreamErrorException", ...original }));
		await expect(stream()).rejects.toMatchObject(original);
	});

	it("with a message of the type error", async () => {
		simulator.enqueue(reply({ kind: "error", code: "InternalFailure", message: "Oh no.", after: 1 }));
		await expect(stream()).rejects.toMatchObject({ name: "InternalFailure", message: "Oh no." });
	});

	it.each([
		["a cut", { kind: "cut", after: 2 }, /Cut|abort|terminated|hang up|premature/i],
		["a wrong checksum", { kind: "corrupt", after: 2 }, /message checksum/],
		["a wrong checksum of lengths", { kind: "corrupt-prelude", after: 2 }, /prelude checksum/],
	] as const)("with %s", async (_, fault, message) => {
		simulator.enqueue(reply(fault));
		await expect(stream()).rejects.toThrow(message);
		expect(simulator.requests[0]?.isAborted).toBe(false);
	});

	it("with an end that comes early, which this client may not even see", async () => {
		simulator.enqueue(reply({ kind: "end", after: 3 }));
		expect(textOf(await stream())).toBe("A longer answe".slice(0, 14));
		simulator.enqueue(reply({ kind: "skip", after: 5 }));
		const events = await stream();
		expect(events.some((event) => event.messageStop)).toBe(false);
		expect(events.at(-1)?.metadata).toBeDefined();
		simulator.enqueue({ kind: "reply", text: "Yes.", usage: "none" });
		expect((await stream()).at(-1)?.messageStop).toBeDefined();
	});

	it("in the middle of an event, with a body that ends well", async () => {
		simulator.enqueue(reply({ kind: "end" }), reply({ kind: "truncate" }));
		const [whole, part] = [await streamBytes(), await streamBytes()];
		expect(part.length).toBeLessThan(whole.length);
		expect(whole.subarray(0, part.length)).toEqual(part);
		expect(frameLengths(whole).at(-1)?.isWhole).toBe(true);
		expect(frameLengths(part).at(-1)?.isWhole).toBe(false);
	});

	it("with events of any size, and with the lengths of such", async () => {
		simulator.enqueue(reply({ kind: "giant", bytes: 300_000, after: 1 }));
		expect(textOf(await stream()).length).toBe(300_016);
		simulator.enqueue(reply({ kind: "claim", bytes: 2 ** 31, after: 0 }));
		const { body } = await post({ authorization: `Bearer ${BEARER}` }, "converse-stream");
		const reader = body?.getReader();
		const { value } = (await reader?.read()) ?? {};
		expect(Buffer.from(value ?? []).readUInt32BE()).toBe(2 ** 31);
		await reader?.cancel();
	});

	it.each([1, 13, 1000])("into chunks of %i bytes, and all arrives", async (chunkBytes) => {
		simulator.enqueue({ kind: "reply", text: "A longer answer.", chunkBytes });
		expect(textOf(await stream())).toBe("A longer answer.");
	});

	it("at the bytes that it says, whatever the events' bounds", async () => {
		simulator.enqueue({ kind: "reply", text: "A longer answer.", chunkBytes: 64 });
		const sizes = await chunkSizes();
		expect(sizes.length).toBeGreaterThan(10);
		expect(sizes.slice(0, -1).every((size) => size === 64)).toBe(true);
		simulator.enqueue({ kind: "reply", text: "A longer answer.", chunkBytes: 64, pauseMs: 1 });
		expect((await chunkSizes()).slice(0, -1).every((size) => size === 64)).toBe(false);
	});

	it.each([{ delayMs: 30 }, { firstEventMs: 30 }, { pauseMs: 5 }])("late: %o", async (pace) => {
		simulator.enqueue({ kind: "reply", text: "Yes.", ...pace });
		const start = performance.now();
		expect(textOf(await stream())).toBe("Yes.");
		expect(performance.now() - start).toBeGreaterThan(20);
	});

	it("with a wrong content type, and answers what is no stream at all", async () => {
		simulator.enqueue({ kind: "reply", text: "Yes.", headers: { "content-type": "text/plain" } });
		const plain = await post({ authorization: `Bearer ${BEARER}` }, "converse-stream");
		expect(plain.headers.get("content-type")).toBe("text/plain");
		await plain.body?.cancel();
		simulator.enqueue({ kind: "raw", body: "<html>", headers: { "content-type": "text/html" } });
		await expect(stream()).rejects.toThrow();
		simulator.enqueue({ kind: "raw", body: "<html>", headers: { "content-type": "text/html" } });
		await expect(converse()).rejects.toThrow(/JSON/);
	});

	it("sees clients go, in a stream and before it", async () => {
		for (const behaviour of [reply({ kind: "stall", after: 2 }), { kind: "silence" } as const]) {
			simulator.enqueue(behaviour);
			const controller = new AbortController();
			const streaming = client.send(new ConverseStreamCommand(HELLO), { abortSignal: controller.signal });
			await expect.poll(() => simulator.requests.at(-1)?.body).toBeDefined();
			if (behaviour.kind === "reply") await streaming;
			controller.abort();
			await streaming.catch(() => undefined);
			await expect.poll(() => simulator.requests.at(-1)?.isAborted).toBe(true);
		}
	});
});

async function streamBytes(): Promise<Buffer> {
	const response = await post({ authorization: `Bearer ${BEARER}` }, "converse-stream");
	return Buffer.from(await response.arrayBuffer());
}

/** Of the chunks in which the body of a stream came over the wire. */
async function chunkSizes(): Promise<number[]> {
	const { port } = new URL(simulator.baseUrl);
	const socket = connect(Number(port), "127.0.0.1");
	const body = JSON.stringify({ messages: HELLO.messages });
	socket.write(
		`POST /model/${encodeURIComponent(MODEL)}/converse-stream HTTP/1.1\r\nhost: a\r\nconnection: close\r\n` +
			`authorization: Bearer ${BEARER}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
	);
	const answered = await buffer(socket);
	const sizes: number[] = [];
	for (let at = answered.indexOf("\r\n\r\n") + 4; ; ) {
		const end = answered.indexOf("\r\n", at);
		const size = Number.parseInt(answered.toString("latin1", at, end), 16);
		if (size === 0) return sizes;
		sizes.push(size);
		at = end + size + 4;
	}
}

function frameLengths(bytes: Buffer): { readonly isWhole: boolean }[] {
	const frames: { isWhole: boolean }[] = [];
	for (let at = 0; at < bytes.length; ) {
		const length = bytes.readUInt32BE(at);
		frames.push({ isWhole: at + length <= bytes.length });
		at += length;
	}
	return frames;
}

function post(
	headers: Record<string, string>,
	operation = "converse",
	body: unknown = { messages: HELLO.messages },
) {
	return fetch(`${simulator.baseUrl}/model/${encodeURIComponent(MODEL)}/${operation}`, {
		method: "POST",
		headers: { "content-type": "application/json", ...headers },
		body: typeof body === "string" ? body : JSON.stringify(body),
	});
}

describe("keeps the door", () => {
	it.each([
		[
			"an unknown key",
			{ credentials: { ...LONG_TERM, accessKeyId: "AKIDOTHER" } },
			"UnrecognizedClientException",
			"The security token included in the request is invalid.",
		],
		[
			"another secret",
			{ credentials: { ...LONG_TERM, secretAccessKey: "other" } },
			"InvalidSignatureException",
			"The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.",
		],
		[
			"another region",
			{ region: "eu-west-1" },
			"InvalidSignatureException",
			"Credential should be scoped to a valid region. ",
		],
		[
			"a session without its token",
			{ credentials: { ...SESSION, sessionToken: undefined } },
			"UnrecognizedClientException",
			"The security token included in the request is invalid.",
		],
		[
			"a token of no session",
			{ credentials: { ...LONG_TERM, sessionToken: "t0ken/+=" } },
			"UnrecognizedClientException",
			"The security token included in the request is invalid.",
		],
		[
			"a session that is over",
			{ credentials: EXPIRED },
			"ExpiredTokenException",
			"The security token included in the request is expired",
		],
		[
			"an unknown API key",
			{ token: { token: "other" }, authSchemePreference: ["httpBearerAuth"] },
			"AccessDeniedException",
			"Authentication failed: Please make sure your API Key is valid.",
		],
	])("to %s", async (_, options, name, message) => {
		const error = (await failureOf({}, clientWith(options as object))) as BedrockRuntimeServiceException;
		expect(error).toBeInstanceOf(BedrockRuntimeServiceException);
		expect([error.name, error.message, error.$metadata.httpStatusCode]).toEqual([name, message, 403]);
		expect(simulator.requests[0]).toMatchObject({ rejection: { status: 403, type: name, message } });
		expect(simulator.requests[0]?.credential).toBeUndefined();
	});

	it.each([
		["2025-01-30T20:46:31Z", undefined],
		["2025-01-30T20:41:32Z", undefined],
		["2025-01-30T20:51:32Z", undefined],
		[
			"2025-01-30T20:41:31Z",
			"Signature not yet current: 20250130T204632Z is still later than 20250130T204631Z (20250130T204131Z + 5 min.)",
		],
		[
			"2025-01-30T20:51:33Z",
			"Signature expired: 20250130T204632Z is now earlier than 20250130T204633Z (20250130T205133Z - 5 min.)",
		],
	])("with its clock at %s", async (now, message) => {
		const offsetMs = Date.parse("2025-01-30T20:46:32Z") - Date.now();
		await failureOf({}, clientWith({ systemClockOffset: offsetMs }));
		vendorTime = new Date(now);
		const response = await replay();
		expect(new Date(response.headers.get("date") ?? "")).toEqual(new Date(now));
		expect([response.status, (await response.json()).message]).toEqual([message ? 403 : 200, message]);
	});

	it("to bodies, headers and hashes that were changed on the way", async () => {
		await converse();
		const { authorization = "" } = simulator.requests[0]?.headers ?? {};
		const statusOf = async (...changes: Parameters<typeof replay>) => (await replay(...changes)).status;
		const withAuthorization = (part: string | RegExp, other: string) =>
			statusOf({ authorization: authorization.replace(part, other) });
		expect(await statusOf()).toBe(200);
		expect(await statusOf({}, (text) => text.replace("Hello?", "Hello!"))).toBe(403);
		expect(await statusOf({ "x-amz-content-sha256": "0".repeat(64) })).toBe(403);
		expect(await statusOf({ "x-amz-content-sha256": "UNSIGNED-PAYLOAD" })).toBe(403);
		expect(await statusOf({ "content-type": "application/json; charset=utf-8" })).toBe(403);
		expect(await statusOf({ "x-amz-date": "" })).toBe(403);
		expect(await withAuthorization(/Signature=./, "Signature=x")).toBe(403);
		expect(await withAuthorization(", Signature=", ", Other=")).toBe(403);
		expect(await withAuthorization("x-amz-date", "x-amz-other")).toBe(403);
		expect(await withAuthorization("host;", "")).toBe(403);
		expect(await withAuthorization("/bedrock/", "/s3/")).toBe(403);
		expect(await withAuthorization("AWS4-HMAC-SHA256", "AWS4-ECDSA-P256-SHA256")).toBe(403);
		expect(await withAuthorization(/\/20\d{6}\//, "/20010101/")).toBe(403);
		expect(await withAuthorization("/aws4_request", "/aws4")).toBe(403);
		expect(await withAuthorization("/aws4_request", "")).toBe(403);
		const mismatch = "InvalidSignatureException: The request signature we calculated does not match";
		const reasons = simulator.requests
			.slice(2)
			.map(({ rejection }) => `${rejection?.type}: ${rejection?.message}`);
		expect(reasons).toEqual(
			[
				...Array(4).fill(mismatch),
				"IncompleteSignatureException: Authorization header requires existence of either",
				mismatch,
				"IncompleteSignatureException: Authorization header requires 'Signature' parameter.",
				"InvalidSignatureException: 'x-amz-date' must be a 'SignedHeader'",
				"InvalidSignatureException: 'Host' or ':authority' must be a 'SignedHeader'",
				"InvalidSignatureException: Credential should be scoped to correct service: 'bedrock'. ",
				"IncompleteSignatureException: Unsupported AWS 'algorithm': 'AWS4-ECDSA-P256-SHA256'.",
				"InvalidSignatureException: Date in Credential scope does not match",
				"InvalidSignatureException: Credential should be scoped with a valid terminator",
				"IncompleteSignatureException: Credential must have exactly 5 slash-delimited elements",
			].map((start) => expect.stringContaining(start)),
		);
	});

	it.each(["x-amz-security-token", "x-amz-content-sha256", "host"])(
		"to signatures that leave %s out",
		async (left) => {
			const headers = await signWithout(left);
			const response = await post(headers);
			expect([response.status, (await response.json()).message.toLowerCase()]).toEqual([
				403,
				expect.stringMatching(new RegExp(`^'${left}'.* must be a 'signedheader'`)),
			]);
		},
	);

	it("to requests without credentials", async () => {
		const response = await post({});
		expect(response.status).toBe(403);
		expect(response.headers.get("x-amzn-errortype")).toBe(
			"MissingAuthenticationTokenException:http://internal.amazon.com/coral/com.amazon.coral.service/",
		);
		expect(response.headers.get("x-amzn-requestid")).toMatch(/^[0-9a-f-]{36}$/);
		expect(await response.json()).toEqual({ message: "Missing Authentication Token" });
	});
});

/** Sends the first request once more, with changes. */
function replay(headers: Record<string, string> = {}, change = (text: string) => text): Promise<Response> {
	const [{ headers: sent, text, path } = { headers: {}, text: "", path: "" }] = simulator.requests;
	const { host: _host, connection: _connection, "content-length": _length, ...kept } = sent;
	const all = { ...(kept as Record<string, string>), ...headers };
	return fetch(simulator.baseUrl + path, { method: "POST", headers: all, body: change(text) });
}

/** A signature that would be good, but that does not cover one of the headers. */
async function signWithout(name: string): Promise<Record<string, string>> {
	const signer = new SignatureV4({
		credentials: SESSION,
		region: "us-east-1",
		service: "bedrock",
		sha256: Sha256,
	});
	const { host, hostname } = new URL(simulator.baseUrl);
	const request = {
		method: "POST",
		protocol: "http:",
		hostname,
		path: `/model/${encodeURIComponent(MODEL)}/converse`,
		headers: { host, "content-type": "application/json" },
		body: JSON.stringify({ messages: HELLO.messages }),
	};
	const { headers } = await signer.sign(request, { unsignableHeaders: new Set([name]) });
	const { host: _host, ...sent } = headers;
	return sent;
}

const withBlock = (...content: object[]) => ({ messages: [user(...(content as ContentBlock[]))] });
const withTool = (toolSpec: object) => ({ toolConfig: { tools: [{ toolSpec }] } });
const SCHEMA = { inputSchema: { json: { type: "object" } } };
const conversation = (...messages: object[]) => ({
	messages: [...(HELLO.messages ?? []), ...messages],
	toolConfig: TOOLS,
});

describe("refuses", () => {
	it.each([
		["an unknown field", { origin: "here" }, "#: extraneous key [origin] is not permitted"],
		["a model in the body", { modelId: MODEL }, "#: extraneous key [modelId]"],
		[
			"an unknown field of a setting",
			{ inferenceConfig: { topK: 4 } },
			"#/inferenceConfig: extraneous key [topK]",
		],
		[
			"an unknown field of a block",
			withBlock({ text: "a", type: "text" }),
			"#/messages/0/content/0: extraneous key",
		],
		["a block of nothing", withBlock({}), "ContentBlock object at messages.0.content.0 must set one of"],
		["a block of two things", withBlock({ text: "a", cachePoint: { type: "default" } }), "must set one of"],
		["no messages", { messages: undefined }, "Value null at 'messages' failed"],
		["an empty conversation", { messages: [] }, "A conversation must start with a user message."],
		["an assistant at the start", { messages: [assistant({ text: "a" })] }, "must start with a user message"],
		[
			"two users in a row",
			{ messages: [user({ text: "a" }), user({ text: "b" })] },
			"must alternate between",
		],
		["another role", { messages: [{ role: "tool", content: [{ text: "a" }] }] }, "[user, assistant]"],
		["an assistant at the end", conversation(assistant({ text: "a" })), "must end with a user message"],
		["a message of nothing", withBlock(), "The content field in the Message object at messages.0 is empty."],
		["blank text", withBlock({ text: " \n" }), "ContentBlock object at messages.0.content.0 is blank"],
		["blank instructions", { system: [{ text: "" }] }, "at system.0 is blank"],
		["a call of the user", { ...withBlock(call("a")), toolConfig: TOOLS }, "only in messages with the role"],
		[
			"reasoning of the user",
			withBlock({ reasoningContent: { reasoningText: { text: "a" } } }),
			"messages.0.content.0 is allowed only in messages with the role assistant",
		],
		[
			"a result of the assistant",
			conversation(assistant(result("a"))),
			"messages.1.content.0 is allowed only in messages with the role user",
		],
		["two calls of an id", conversation(assistant(call("a"), call("a")), user(result("a"))), "duplicate Ids"],
		[
			"a result of no call",
			conversation(assistant({ text: "a" }), user(result("a"))),
			"exceeds the number of",
		],
		[
			"a call without a result",
			conversation(assistant(call("a"), call("b")), user(result("a"))),
			"Expected toolResult blocks at messages.2.content for the following Ids: b",
		],
		[
			"a result of another call",
			conversation(assistant(call("a")), user(result("b"))),
			"Expected toolResult blocks at messages.2.content for the following Ids: a",
		],
		[
			"one result too many",
			conversation(assistant(call("a")), user(result("a"), result("b"))),
			"exceeds the number of toolUse blocks of previous turn",
		],
		[
			"a result that comes too late",
			conversation(assistant(call("a")), user({ text: "a" }), assistant({ text: "b" }), user(result("a"))),
			"Expected toolResult blocks at messages.2.content",
		],
		[
			"calls and no tools",
			{ ...conversation(assistant(call("a")), user(result("a"))), toolConfig: undefined },
			"The toolConfig field must be defined",
		],
		[
			"a call's input",
			conversation(assistant({ toolUse: { ...call("a").toolUse, input: "{}" } }), user(result("a"))),
			"The format of the value at messages.1.content.0.toolUse.input is invalid.",
		],
		[
			"a call's id",
			conversation(assistant(call("a b")), user(result("a b"))),
			"Value 'a b' at 'messages.2.member.content.1.member.toolUse.toolUseId' failed",
		],
		[
			"a failed result of nothing",
			conversation(
				assistant(call("a")),
				user({ toolResult: { toolUseId: "a", content: [], status: "error" } }),
			),
			"cannot be empty when status value is error",
		],
		[
			"a result's JSON",
			conversation(assistant(call("a")), user({ toolResult: { toolUseId: "a", content: [{ json: [1] }] } })),
			"The format of the value at messages.2.content.0.toolResult.content.0.json is invalid.",
		],
		["no tools in a list of them", { toolConfig: { tools: [] } }, "length greater than or equal to 1"],
		[
			"a tool's name",
			withTool({ name: "a.b", ...SCHEMA }),
			"Value 'a.b' at 'toolConfig.tools.1.member.toolSpec",
		],
		["a tool's long name", withTool({ name: "a".repeat(65), ...SCHEMA }), "less than or equal to 64"],
		["a tool without a schema", withTool({ name: "a" }), "toolSpec.inputSchema' failed"],
		["a schema in text", withTool({ name: "a", inputSchema: { json: "{}" } }), "Provide a json object"],
		[
			"a schema of no object",
			withTool({ name: "a", inputSchema: { json: { type: "array" } } }),
			"The value at toolConfig.tools.0.toolSpec.inputSchema.json.type must be one of the following: object.",
		],
		[
			"two tools of a name",
			{ toolConfig: { tools: [...TOOLS.tools, ...TOOLS.tools] } },
			"more than one tool",
		],
		["a choice of no tool", { toolConfig: { ...TOOLS, toolChoice: { tool: { name: "a" } } } }, "is not in"],
		[
			"a limit of nothing",
			{ inferenceConfig: { maxTokens: 0 } },
			"1 validation error detected: Value '0' at 'inferenceConfig.maxTokens' failed to satisfy constraint: Member must have value greater than or equal to 1",
		],
		["a temperature", { inferenceConfig: { temperature: 1.5 } }, "value less than or equal to 1"],
	])("%s", async (_, body, message) => {
		const sent = { messages: HELLO.messages, ...body };
		const response = await post({ authorization: `Bearer ${BEARER}` }, "converse", sent);
		expect(response.status).toBe(400);
		expect(response.headers.get("x-amzn-errortype")).toMatch(/^ValidationException:/);
		expect((await response.json()).message).toContain(message);
		expect(simulator.requests[0]?.rejection?.type).toBe("ValidationException");
		expect(simulator.requests[0]?.body).toBeUndefined();
	});

	it.each([
		["half a JSON", '{"messages":'],
		["text for a number", { messages: HELLO.messages, inferenceConfig: { maxTokens: "9" } }],
		["a fraction of a token", { messages: HELLO.messages, inferenceConfig: { maxTokens: 1.5 } }],
		["a text for a list", { messages: "Hello?" }],
		["a number for text", withBlock({ text: 1 })],
		["null", { messages: HELLO.messages, system: null }],
	])("%s as unreadable", async (_, body) => {
		const response = await post({ authorization: `Bearer ${BEARER}` }, "converse", body);
		expect(response.status).toBe(400);
		expect(response.headers.get("x-amzn-errortype")).toMatch(/^SerializationException:/);
	});

	it("what the client says, as its exceptions", async () => {
		const error = await failureOf({ messages: [user({ text: "a" }), user({ text: "b" })] });
		expect(error).toBeInstanceOf(ValidationException);
	});

	it.each([
		["example.none-v1:0", ValidationException, "The provided model identifier is invalid."],
		[
			"example.shy-v1:0",
			AccessDeniedException,
			"You don't have access to the model with the specified model ID.",
		],
		[
			"example.writer-v1:0",
			ValidationException,
			"Invocation of model ID example.writer-v1:0 with on-demand throughput isn’t supported. Retry your request with the ID or ARN of an inference profile that contains this model.",
		],
	])("the model %s", async (modelId, errorClass, message) => {
		const error = await failureOf({ modelId });
		expect(error).toBeInstanceOf(errorClass);
		expect(error).toMatchObject({ message });
	});

	it("results beside other blocks, for some models", async () => {
		const input = conversation(assistant(call("a")), user(result("a"), { text: "And tomorrow?" }));
		expect((await converse(input)).stopReason).toBe("end_turn");
		const modelId = "example.plain-v1:0";
		const apart = conversation(assistant(call("a")), user(result("a")));
		expect((await converse({ ...apart, modelId })).stopReason).toBe("end_turn");
		expect(await failureOf({ ...input, modelId })).toMatchObject({
			message:
				"messages.2.content: Conversation blocks and tool result blocks cannot be provided in the same turn.",
		});
	});

	const visit = async (path: string, method = "POST", type = "application/json") => {
		const body = method === "POST" ? JSON.stringify({ messages: HELLO.messages }) : null;
		const headers = { authorization: `Bearer ${BEARER}`, "content-type": type };
		const response = await fetch(simulator.baseUrl + path, { method, headers, body });
		expect(response.headers.has("x-amzn-errortype")).toBe(response.status !== 200);
		return [response.status, await response.json()];
	};
	const nowhere = [
		200,
		{ Output: { __type: "com.amazon.coral.service#UnknownOperationException" }, Version: "1.0" },
	];

	it("paths that lead nowhere, in the vendor's way", async () => {
		expect(await visit(`/model/${PROFILE.replaceAll(":", "%3A")}/converse`)).toEqual(nowhere);
		expect(await visit("/model/a%3A0/invoke")).toEqual(nowhere);
		expect(await visit("/model/a%3A0/converse", "GET")).toEqual(nowhere);
		expect(await visit(`/model/${MODEL}/converse`)).toEqual([
			400,
			{ message: expect.stringContaining("invalid") },
		]);
		expect(await visit("/model/a%ZZ/converse")).toEqual([400, expect.anything()]);
		expect(await visit(`/model/${encodeURIComponent(MODEL)}/converse`, "POST", "text/plain")).toEqual([
			415,
			expect.anything(),
		]);
		expect(simulator.requests[0]?.rejection?.type).toBe("UnknownOperationException");
	});
});

describe("by itself", () => {
	it("cites the first passage, of tools too", async () => {
		const passages = [{ n: 3, text: "Refunds take five days. Ask Ada." }];
		const data = JSON.stringify({ query: "q", passages });
		const bare = await converse();
		expect(bare.output?.message?.content).toEqual([{ text: "No passages were given for: Hello?" }]);
		const grounded = await converse({ system: [{ text: `Material.\n${data}` }] });
		expect(grounded.output?.message?.content).toEqual([{ text: "Refunds take five days [3]." }]);
		const found = user({ toolResult: { toolUseId: "a", content: [{ text: data }] } });
		const asked = await converse(conversation(assistant(call("a")), found));
		expect(asked.output?.message?.content).toEqual([{ text: "Refunds take five days [3]." }]);
	});

	it("asks a function what to do", async () => {
		await simulator.close();
		const behaviour = vi.fn(() => ({ kind: "reply", text: "Ok." }) as const);
		simulator = await startBedrockSimulator({ ...OPTIONS, behaviour });
		await converse({}, clientWith());
		expect(behaviour).toHaveBeenCalledWith(expect.objectContaining({ messages: HELLO.messages }), {
			name: "converse",
			modelId: MODEL,
		});
	});

	it("starts as a process", async () => {
		const main = fileURLToPath(new URL("./bedrock/main.ts", import.meta.url));
		const child = spawn(process.execPath, [
			...[main, "--access-key-id", LONG_TERM.accessKeyId, "--secret-access-key", LONG_TERM.secretAccessKey],
			...["--bearer-key", "other", "--region", "eu-west-1", "--model", MODEL],
		]);
		try {
			const [line] = await once(child.stdout, "data");
			const other = clientWith({ endpoint: JSON.parse(String(line)).base_url, region: "eu-west-1" });
			expect((await converse({}, other)).stopReason).toBe("end_turn");
		} finally {
			child.kill();
		}
	});
});
