import { readFileSync } from "node:fs";
import type { ChatEvent, ChatReply } from "@stemma/core";
import { expect, it } from "vitest";
import type { ResponseBody } from "../http/response-body";
import { ProviderError } from "../provider-error";
import { createAliases } from "./aliases";
import { readStream } from "./read-stream";

const readFixture = (name: string): Buffer =>
	readFileSync(new URL(`./__fixtures__/${name}.eventstream`, import.meta.url));
const ENDPOINT = {
	idleTimeoutMs: 60_000,
	vendorHost: "h",
	model: "m",
	hasKey: true,
	api: "Converse",
	baseUrlHint: "Check `baseUrl`.",
};

/** Mulberry32: the same numbers in every run. */
function createRandom(seed: number): (below: number) => number {
	let state = seed;
	return (below) => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
	};
}

const random = createRandom(20_261_121);
const between = (bytes: Buffer, from: number, to: number): Buffer => bytes.subarray(from, to);

interface Frame {
	readonly bytes: Buffer;
	readonly type: string;
	readonly event: Payload;
}

/** What the fixtures hold. */
interface Payload {
	readonly contentBlockIndex?: number;
	readonly start?: { readonly toolUse?: object };
	readonly delta?: {
		readonly text?: string;
		readonly reasoningContent?: { readonly text?: string };
		readonly toolUse?: { readonly input: string };
	};
}

function split(bytes: Buffer): Frame[] {
	const frames: Frame[] = [];
	for (let from = 0; from < bytes.length; ) {
		const frame = bytes.subarray(from, from + bytes.readUInt32BE(from));
		const payloadFrom = 12 + frame.readUInt32BE(4);
		const type = /:event-type\W+(\w+)/.exec(frame.toString("latin1", 0, payloadFrom))?.[1] ?? "";
		frames.push({
			bytes: frame,
			type,
			event: JSON.parse(frame.toString("utf8", payloadFrom, frame.length - 4)) as Payload,
		});
		from += frame.length;
	}
	return frames;
}

const MUTATIONS: readonly ((bytes: Buffer, frames: readonly Buffer[]) => Buffer)[] = [
	function flip(bytes) {
		const copy = Buffer.from(bytes);
		const at = random(copy.length);
		copy[at] = (copy[at] ?? 0) ^ (1 << random(8));
		return copy;
	},
	function remove(bytes) {
		const at = random(bytes.length);
		return Buffer.concat([between(bytes, 0, at), bytes.subarray(at + 1 + random(40))]);
	},
	function insert(bytes) {
		const at = random(bytes.length + 1);
		const noise = Buffer.from(Array.from({ length: 1 + random(20) }, () => random(256)));
		return Buffer.concat([between(bytes, 0, at), noise, bytes.subarray(at)]);
	},
	function swap(bytes) {
		const copy = Buffer.from(bytes);
		const [one, other] = [random(copy.length), random(copy.length)];
		[copy[one], copy[other]] = [copy[other] ?? 0, copy[one] ?? 0];
		return copy;
	},
	(bytes) => between(bytes, 0, random(bytes.length)),
	function duplicateFrame(_, frames) {
		const at = random(frames.length);
		return Buffer.concat([...frames.slice(0, at + 1), ...frames.slice(at)]);
	},
	function swapFrames(_, frames) {
		const copy = [...frames];
		const [one, other] = [random(copy.length), random(copy.length)];
		[copy[one], copy[other]] = [copy[other] ?? Buffer.of(), copy[one] ?? Buffer.of()];
		return Buffer.concat(copy);
	},
	function dropFrame(_, frames) {
		const at = random(frames.length);
		return Buffer.concat(frames.filter((__, index) => index !== at));
	},
];

interface EmittedReply {
	readonly text: string;
	readonly reasoning: string;
	readonly calls: string;
}

/** What bytes say that are whole frames of the stream, in any order, by a reading of its own; the rest is damage. */
function collectReply(bytes: Buffer, known: readonly Frame[]) {
	let [text, reasoning, isStopped, isDone, isBroken] = ["", "", false, false, false];
	const open = new Map<number, string>();
	const calls: string[] = [];
	let from = 0;
	while (from < bytes.length && !isDone && !isBroken) {
		const frame = known.find(
			(candidate) =>
				candidate.bytes.compare(bytes, from, Math.min(bytes.length, from + candidate.bytes.length)) === 0,
		);
		if (frame === undefined) break;
		from += frame.bytes.length;
		const { delta = {}, start = {}, contentBlockIndex: index = -1 } = frame.event;
		text += delta.text ?? "";
		reasoning += delta.reasoningContent?.text ?? "";
		const before = open.get(index);
		if (start.toolUse !== undefined) {
			if (before !== undefined) calls.push(before);
			open.set(index, "");
		}
		if (delta.toolUse !== undefined) {
			isBroken = before === undefined && !isStopped;
			if (before === undefined && isStopped) isDone = true;
			else open.set(index, (before ?? "") + delta.toolUse.input);
		}
		if (frame.type === "messageStop") isStopped = true;
		if (frame.type === "metadata" && isStopped) isDone = true;
	}
	calls.push(...open.values());
	const emitted: EmittedReply = {
		text,
		reasoning,
		calls: calls
			.map((call) => call || "{}")
			.sort()
			.join(),
	};
	return { emitted, isStopped, isDone, isBroken };
}

async function read(bytes: Buffer): Promise<{ emitted: EmittedReply; error?: unknown }> {
	const pieces =
		random(2) === 0 ? [bytes] : [bytes.subarray(0, bytes.length >> 1), bytes.subarray(bytes.length >> 1)];
	const body: ResponseBody = {
		read: async () => pieces.shift(),
		resetIdleTimer: () => undefined,
		text: async () => "",
		errorText: async () => "",
		release: () => undefined,
	};
	const request = { body: {}, names: createAliases([]) };
	const reader = readStream({ response: { body, contentType: "" }, request }, ENDPOINT);
	const events: ChatEvent[] = [];
	let reply: ChatReply = { text: "", toolCalls: [], finishReason: "other" };
	let error: unknown;
	try {
		for (let some = await reader.next(); some !== undefined; some = await reader.next()) events.push(...some);
		reply = reader.toReply();
	} catch (caught) {
		error = caught;
	}
	const join = (type: ChatEvent["type"]): string =>
		events.map((event) => (event.type === type && event.type !== "finish" ? event.text : "")).join("");
	const calls = reply.toolCalls.map((call) => call.arguments).sort();
	const text = join("text.delta");
	if (error === undefined && reply.text !== text)
		throw new Error("The reply's text is not that of its deltas.");
	return { emitted: { text, reasoning: join("reasoning.delta"), calls: calls.join() }, error };
}

/** What comes before the damage has been said already; what comes behind it never is. */
function findMismatch(
	expected: ReturnType<typeof collectReply>,
	emitted: EmittedReply,
	error: unknown,
): string | undefined {
	const { isBroken, isStopped } = expected;
	const { text, reasoning, calls } = expected.emitted;
	if (emitted.text !== text || emitted.reasoning !== reasoning) return "said something else";
	if (error === undefined && emitted.calls !== calls) return "called something else";
	if (isBroken && !(ProviderError.is(error) && error.code === "bad_response"))
		return "took a call's end alone";
	if (isStopped && error !== undefined) return "refused a whole answer";
	return !isStopped && error === undefined ? "took a part for the whole" : undefined;
}

it.each(["claude-text", "claude-calls", "claude-reasoning", "nova-calls"])(
	"%s, damaged 25,000 times, is an error or says what its bytes say",
	async (name) => {
		const bytes = readFixture(name);
		const frames = split(bytes);
		const parts = frames.map((frame) => frame.bytes);
		const outcomes = { replies: 0, errors: 0 };
		for (let round = 0; round < 25_000; round++) {
			const damaged = MUTATIONS[round % MUTATIONS.length]?.(bytes, parts) ?? bytes;
			const expected = collectReply(damaged, frames);
			const { emitted, error } = await read(damaged);
			if (error !== undefined && !ProviderError.is(error)) throw error;
			outcomes[error === undefined ? "replies" : "errors"] += 1;
			const mismatch = findMismatch(expected, emitted, error);
			if (mismatch !== undefined) throw new Error(`Round ${round}: ${mismatch}`, { cause: error });
		}
		expect(outcomes.replies).toBeGreaterThan(3000);
		expect(outcomes.errors).toBeGreaterThan(10_000);
	},
);
