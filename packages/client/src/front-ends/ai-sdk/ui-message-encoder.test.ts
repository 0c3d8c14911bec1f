import type { Citation, RunEvent, RunResult } from "@stemma/core";
import { describe, expect, it } from "vitest";
import { toUIMessageStream, toUIMessageStreamResponse } from "./to-ui-message-stream";
import type { UIMessageChunk } from "./ui-message-chunk";
import { createUIMessageEncoder } from "./ui-message-encoder";

type Draft = RunEvent extends infer Event
	? Event extends RunEvent
		? Omit<Event, "run_id" | "seq" | "at">
		: never
	: never;

const USAGE = { input_tokens: 1, output_tokens: 2, model_calls: 1, steps: 2 };
const toResult = (result: Partial<RunResult>): RunResult => ({
	...{ run_id: "run_1", status: "completed", output: null, citations: [], usage: USAGE, receipt: [] },
	...result,
});
const toEvents = (...drafts: readonly Draft[]): RunEvent[] =>
	[{ type: "run.started" as const }, ...drafts].map((draft, index) => ({
		...draft,
		run_id: "run_1",
		seq: index + 1,
		at: 0,
	}));
const encode = (...drafts: readonly Draft[]): UIMessageChunk[] =>
	toEvents(...drafts).flatMap(createUIMessageEncoder());

const desk = { node: "desk", invocation: 1 };
const refund = { node: "refund", invocation: 2, parent: 1 };
const say = (text: string): Draft => ({ type: "text.delta", ...desk, text, final: true });
const called: Draft = {
	type: "tool.called",
	...desk,
	callee: "refund",
	call_id: "c",
	arguments: { order: 7 },
};
const started: Draft = { type: "node.started", ...refund, kind: "tool", mode: "call", input: { order: 7 } };
const completed = (result: Partial<RunResult> = {}): Draft => ({
	type: "run.completed",
	result: toResult(result),
});
const typesOf = (chunks: readonly UIMessageChunk[]): string[] => chunks.map(({ type }) => type);

/** Chunks of the beginning of each run. */
const START = ["start", "start-step"];
const END = ["finish-step", "message-metadata", "finish"];

describe("the UI message stream of a run", () => {
	it("has one text of all final text, and nothing of inner nodes", () => {
		const chunks = encode(
			say("Hel"),
			{ ...say("inner"), final: false } as Draft,
			say("lo."),
			completed({ output: "Hello." }),
		);
		expect(typesOf(chunks)).toEqual([...START, "text-start", "text-delta", "text-delta", "text-end", ...END]);
		expect(chunks[0]).toMatchObject({ messageId: "run_1" });
		expect(chunks.at(-2)).toMatchObject({
			messageMetadata: { run_id: "run_1", status: "completed", usage: USAGE },
		});
	});

	it("takes back text that is not the answer, and none of the parts before it", () => {
		const chunks = encode(
			{ type: "reasoning.delta", ...desk, text: "Hm." },
			say("Let me see."),
			{ type: "text.reset", ...desk },
			called,
			started,
			{ type: "node.completed", ...refund, output: "Done.", usage: USAGE, ms: 1 },
			say("Done."),
			completed({ output: "Done." }),
		);
		expect(typesOf(chunks)).toEqual([
			...START,
			...["reasoning-start", "reasoning-delta", "reasoning-end"],
			...["finish-step", "start-step", "text-start", "text-delta", "reset-step"],
			...["tool-input-available", "tool-output-available"],
			...["finish-step", "start-step", "text-start", "text-delta", "text-end"],
			...END,
		]);
	});

	it.each([
		["text", "text"],
		[{ a: [1] }, '{"a":[1]}'],
	])("has output that was not streamed: %j", (output, delta) => {
		expect(encode(completed({ output }))).toContainEqual(
			expect.objectContaining({ type: "text-delta", delta }),
		);
	});

	it("tells calls of one callee apart, also where a vendor gives them one id", () => {
		const chunks = encode(
			called,
			{ ...called, arguments: { order: 8 } } as Draft,
			started,
			{ ...started, invocation: 3 } as Draft,
			{ type: "node.completed", ...refund, invocation: 3, output: 8, usage: USAGE, ms: 1 },
			{ type: "node.failed", ...refund, error: { code: "tool_failed", message: "No." }, ms: 1 },
		);
		expect(chunks.slice(2)).toMatchObject([
			{
				type: "tool-input-available",
				toolCallId: "call_2",
				toolName: "refund",
				input: { order: 7 },
				dynamic: true,
			},
			{ type: "tool-input-available", toolCallId: "call_3", input: { order: 8 } },
			{ type: "tool-output-available", toolCallId: "call_3", output: 8 },
			{ type: "tool-output-error", toolCallId: "call_2", errorText: "No." },
		]);
	});

	it("shows a handoff as a call that has ended, and a call that was not made as an error", () => {
		const chunks = encode(
			{ ...called, callee: "billing" } as Draft,
			{ type: "tool.skipped", ...desk, callee: "refund", call_id: "d", reason: "Handed over." },
			{
				type: "node.started",
				node: "billing",
				invocation: 2,
				parent: 1,
				kind: "agent",
				mode: "handoff",
				input: "x",
			},
			{ type: "node.completed", node: "billing", invocation: 2, parent: 1, output: "y", usage: USAGE, ms: 1 },
		);
		expect(chunks.slice(2)).toMatchObject([
			{ type: "tool-input-available", toolCallId: "call_2" },
			{ type: "tool-input-available", toolCallId: "call_3", toolName: "refund", input: {} },
			{ type: "tool-output-error", toolCallId: "call_3", errorText: "Handed over." },
			{ type: "tool-output-available", toolCallId: "call_2", output: { handoff: "billing" } },
		]);
	});

	const approval = {
		id: "apr_2",
		node: "refund",
		tool: "refund",
		expires_at: "",
		arguments: { order: 7, by: "desk" },
	};
	const paused: Draft = { type: "run.paused", result: toResult({ status: "paused", approvals: [approval] }) };

	it("asks for an approval with the exact arguments, and goes on behind it", () => {
		const events = toEvents(
			called,
			started,
			paused,
			{ type: "run.resumed" },
			{ type: "node.completed", ...refund, output: "Done.", usage: USAGE, ms: 1 },
		);
		const whole = events.flatMap(createUIMessageEncoder());
		expect(whole.slice(2)).toMatchObject([
			{ type: "tool-input-available", toolCallId: "call_2", input: { order: 7 } },
			{ type: "tool-input-available", toolCallId: "call_2", input: { order: 7, by: "desk" } },
			{ type: "tool-approval-request", toolCallId: "call_2", approvalId: "apr_2" },
			{ type: "finish-step" },
			{ type: "message-metadata", messageMetadata: { status: "paused", seq: 4 } },
			{ type: "finish", finishReason: "tool-calls" },
			{ type: "start", messageId: "run_1" },
			{ type: "tool-approval-response", approvalId: "apr_2", approved: true },
			{ type: "tool-output-available", toolCallId: "call_2", output: "Done." },
		]);
		expect(events.flatMap(createUIMessageEncoder({ after: 4 }))).toEqual(whole.slice(8));
	});

	const cancelled: Draft = { type: "run.cancelled", result: toResult({ status: "cancelled" }) };

	it("starts once where a run is resumed after a crash", () => {
		const reset = { type: "text.reset", ...desk } as const;
		const chunks = encode(say("Hel"), { type: "run.resumed" }, reset, say("Hello."));
		expect(typesOf(chunks).filter((type) => type === "start")).toEqual(["start"]);
	});

	it("keeps a call that still waits in the last step, and starts another one behind the last decision", () => {
		const again: Draft = {
			type: "run.paused",
			result: toResult({ status: "paused", approvals: [{ ...approval, id: "apr_3" }] }),
		};
		const both: Draft = {
			type: "run.paused",
			result: toResult({ status: "paused", approvals: [approval, { ...approval, id: "apr_3" }] }),
		};
		const call = { ...called, arguments: approval.arguments } as Draft;
		const done = (invocation: number): Draft => ({
			...{ type: "node.completed", ...refund, output: "Done.", usage: USAGE, ms: 1 },
			invocation,
		});
		const chunks = encode(
			...[call, call, started, { ...started, invocation: 3 } as Draft, both],
			...[{ type: "run.resumed" } as const, done(2), again],
			...[{ type: "run.resumed" } as const, done(3), completed()],
		);
		const ended = ["tool-approval-response", "tool-output-available"];
		expect(typesOf(chunks)).toEqual([
			...[...START, "tool-input-available", "tool-input-available"],
			...["tool-approval-request", "tool-approval-request", ...END],
			...["start", ...ended, "tool-approval-request", "message-metadata", "finish"],
			...["start", ...ended, "start-step", ...END],
		]);
	});

	it("ends calls that wait when the run is cancelled, and claims no decision on them", () => {
		const error = { code: "cancelled", message: "The run ended first." };
		const failed: Draft = { type: "node.failed", ...refund, error, ms: 1 };
		const ended = [
			{ type: "tool-output-error", toolCallId: "call_2", errorText: "The run ended first." },
			{ type: "start-step" },
			{ type: "message-metadata" },
			{ type: "abort" },
		];
		expect(encode(called, started, paused, cancelled).slice(-5)).toMatchObject([
			{ type: "finish" },
			...ended,
		]);
		expect(
			encode(called, started, paused, { type: "run.resumed" }, failed, cancelled).slice(-5),
		).toMatchObject([{ type: "start" }, ...ended]);
	});

	it("ends calls that a run which has ended never made", () => {
		const error = { code: "max_steps", message: "Too many." };
		const failed: Draft = { type: "run.failed", error, result: toResult({ status: "failed", error }) };
		expect(encode(called, failed)).toContainEqual({
			type: "tool-output-error",
			toolCallId: "call_2",
			errorText: "The run ended first.",
		});
	});

	it("keeps a call that was not made when the text behind it is taken back", () => {
		const skipped: Draft = { type: "tool.skipped", ...desk, callee: "x", call_id: "c", reason: "No." };
		expect(typesOf(encode(skipped, say("Let me see."), { type: "text.reset", ...desk }))).toEqual([
			...[...START, "tool-input-available", "tool-output-error", "finish-step"],
			...["start-step", "text-start", "text-delta", "reset-step"],
		]);
	});

	it("has a call for an approval whose call is not to be seen, and says that it was denied", () => {
		expect(encode(paused).slice(2, 4)).toMatchObject([
			{ type: "tool-input-available", toolCallId: "apr_2", toolName: "refund", input: approval.arguments },
			{ type: "tool-approval-request", toolCallId: "apr_2", approvalId: "apr_2" },
		]);
		const error = { code: "approval_denied", message: "No." };
		const denied = encode(
			called,
			started,
			paused,
			{ type: "run.resumed" },
			{ type: "node.failed", ...refund, error, ms: 1 },
		);
		expect(denied.slice(-2)).toEqual([
			{ type: "tool-approval-response", approvalId: "apr_2", approved: false },
			{ type: "tool-output-denied", toolCallId: "call_2" },
		]);
	});

	it("has sources and the receipt before its end, whatever that is", () => {
		const place = { start: 0, end: 4 };
		const cited = (n: number, more: object): Citation =>
			({
				n,
				passage_id: `psg_${n}`,
				document_id: "doc_1",
				title: `Page ${n}`,
				place,
				text: "Text",
				support: "quoted",
				...more,
			}) as Citation;
		const receipt = [{ stage: "answer", payer: "none" }] as unknown as RunResult["receipt"];
		const result = toResult({ citations: [cited(1, {}), cited(2, { url: "https://a.example/b" })], receipt });
		const shown = [
			expect.objectContaining({ type: "source-document", sourceId: "1", title: "Page 1" }),
			expect.objectContaining({ type: "source-url", sourceId: "2", url: "https://a.example/b" }),
			{ type: "data-receipt", id: "receipt", data: receipt },
		];
		expect(encode({ type: "run.completed", result }).slice(2, 5)).toEqual(shown);
		const error = { code: "model_failed", message: "It failed.", hint: "Try again." };
		const failed = encode({ type: "run.failed", error, result: { ...result, status: "failed", error } });
		expect(failed.slice(2, 5)).toEqual(shown);
		expect(failed).toContainEqual({ type: "error", errorText: "It failed. Try again." });
		const cancelled = encode({ type: "run.cancelled", result: { ...result, status: "cancelled" } });
		expect(cancelled.at(-1)).toMatchObject({ type: "abort" });
	});
});

async function* follow(events: readonly RunEvent[], error?: Error): AsyncGenerator<RunEvent> {
	yield* events;
	if (error !== undefined) throw error;
}

describe("toUIMessageStream", () => {
	it("ends with an error that says nothing of its cause, unless it is asked to", async () => {
		const read = async (stream: ReadableStream<UIMessageChunk>) => {
			const reader = stream.getReader();
			const chunks: UIMessageChunk[] = [];
			for (let next = await reader.read(); !next.done; next = await reader.read()) chunks.push(next.value);
			return chunks.at(-1);
		};
		const run = () => follow(toEvents(say("Hel")), new Error("secret"));
		expect(await read(toUIMessageStream(run()))).toEqual({ type: "error", errorText: "An error occurred." });
		const onError = (error: unknown) => String(error);
		expect(await read(toUIMessageStream(run(), { onError }))).toEqual({
			type: "error",
			errorText: "Error: secret",
		});
	});

	it("stops reading when it is cancelled", async () => {
		let isDetached = false;
		async function* run() {
			try {
				yield* toEvents(say("a"), say("b"), say("c"));
			} finally {
				isDetached = true;
			}
		}
		const reader = toUIMessageStream(run()).getReader();
		await reader.read();
		await reader.cancel();
		expect(isDetached).toBe(true);
	});

	it("is a response of server-sent events", async () => {
		const response = toUIMessageStreamResponse(follow(toEvents(say("Hi."), completed({ output: "Hi." }))));
		expect(response.headers.get("x-vercel-ai-ui-message-stream")).toBe("v1");
		const events = (await response.text()).split("\n\n");
		expect(events[0]).toBe('data: {"type":"start","messageId":"run_1","messageMetadata":{"run_id":"run_1"}}');
		expect(events.slice(-2)).toEqual(["data: [DONE]", ""]);
	});
});
