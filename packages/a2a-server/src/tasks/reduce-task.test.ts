import type { A2aStreamResponse } from "@stemma/client/a2a";
import type { Citation, ReceiptRow } from "@stemma/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
	approval,
	cancelled,
	completed,
	failed,
	paused,
	reasoningDelta,
	reset,
	resumed,
	started,
	type TestRunEvent,
	textDelta,
	toEvents,
} from "../test-support/run-events";
import { reduceTask } from "./reduce-task";
import { createTaskProgress, type TaskProgress } from "./task-progress";
import { addEvents } from "./to-task";

const ids = { taskId: "run_1", contextId: "ctx_1" };
const initialProgress = createTaskProgress(ids, "2026-01-02T03:04:00.000Z");

function reduceAll(runEvents: readonly TestRunEvent[]): {
	progress: TaskProgress;
	updates: A2aStreamResponse[];
} {
	let progress = initialProgress;
	const updates: A2aStreamResponse[] = [];
	for (const event of toEvents(runEvents)) {
		const step = reduceTask(progress, event);
		progress = step.progress;
		updates.push(...step.updates);
	}
	return { progress, updates };
}

/** Updates in short: what of the answer is told and how, or the state. */
const summarize = (updates: readonly A2aStreamResponse[]): unknown[] =>
	updates.map((update) => {
		if ("statusUpdate" in update) return update.statusUpdate.status.state;
		if (!("artifactUpdate" in update)) return update;
		const { artifact, append, lastChunk } = update.artifactUpdate;
		const [part] = artifact.parts;
		return [append === true ? "+" : "=", part?.text ?? part?.data, ...(lastChunk === true ? ["last"] : [])];
	});

const WORKING = "TASK_STATE_WORKING";

describe("a run as updates", () => {
	it.each<[string, TestRunEvent[], unknown[]]>([
		[
			"text",
			[started, textDelta("Five "), reasoningDelta, textDelta("days."), completed("Five days.")],
			[WORKING, ["=", "Five "], ["+", "days."], ["+", "", "last"], "TASK_STATE_COMPLETED"],
		],
		[
			"text that is taken back",
			[started, textDelta("I look"), reset, textDelta("Five."), completed("Five.")],
			[WORKING, ["=", "I look"], ["=", ""], ["+", "Five."], ["+", "", "last"], "TASK_STATE_COMPLETED"],
		],
		[
			"text of inner nodes",
			[started, textDelta("aside", false), completed("Five.")],
			[WORKING, ["=", "Five.", "last"], "TASK_STATE_COMPLETED"],
		],
		[
			"an answer that is another than what was streamed",
			[started, textDelta("Five"), completed("Six")],
			[WORKING, ["=", "Five"], ["=", "Six", "last"], "TASK_STATE_COMPLETED"],
		],
		[
			"JSON",
			[started, completed({ days: 5 })],
			[WORKING, ["=", { days: 5 }, "last"], "TASK_STATE_COMPLETED"],
		],
		["no answer", [started, completed(null)], [WORKING, "TASK_STATE_COMPLETED"]],
		["an empty answer", [started, completed("")], [WORKING, ["=", "", "last"], "TASK_STATE_COMPLETED"]],
		[
			"a failure",
			[started, textDelta("Fi"), failed("Fi")],
			[WORKING, ["=", "Fi"], ["+", "", "last"], "TASK_STATE_FAILED"],
		],
		["a cancellation", [started, cancelled(null)], [WORKING, "TASK_STATE_CANCELED"]],
		[
			"a pause",
			[started, paused, resumed, completed("Done.")],
			[WORKING, "TASK_STATE_AUTH_REQUIRED", WORKING, ["=", "Done.", "last"], "TASK_STATE_COMPLETED"],
		],
		["a reset of nothing", [started, reset], [WORKING]],
	])("%s", (_, runEvents, updates) => {
		expect(summarize(reduceAll(runEvents).updates)).toEqual(updates);
	});

	it("tells why it failed, for people and for programs", () => {
		const { status } = reduceAll([started, failed(null)]).progress;
		expect(status).toEqual({
			state: "TASK_STATE_FAILED",
			timestamp: "2026-01-02T03:04:02.000Z",
			message: {
				messageId: "run_1-2",
				role: "ROLE_AGENT",
				...ids,
				parts: [
					{ text: "The run took too long. Raise limits.timeoutMs." },
					{ data: { code: "timeout", message: "The run took too long.", hint: "Raise limits.timeoutMs." } },
				],
			},
		});
	});

	it("tells what it waits for", () => {
		expect(reduceAll([started, paused]).progress.status.message?.parts).toEqual([
			{
				text: 'Waits for approval of refund_order (ap_1). Decide with POST …/runs/run_1/approvals/<approval id>, or by a message to this task with the data part {"approval_id":"ap_1","decision":"approve"} ("deny" takes a "reason", too). Deciding needs a credential that may approve runs (in the service: the scope runs:approve).',
			},
			{ data: { run_id: "run_1", approvals: [approval] } },
		]);
	});

	it("gives citations to the answer, and what it took to the task", () => {
		const citation = { n: 1, passage_id: "psg_1", text: "Five days." } as Citation;
		const row = { stage: "answer", payer: "none", model: "m" } as ReceiptRow;
		const more = { citations: [citation], receipt: [row] };
		const { progress, updates } = reduceAll([started, textDelta("Five [1]"), completed("Five [1]", more)]);
		expect(progress.artifact).toEqual({
			artifactId: "answer",
			parts: [{ text: "Five [1]" }],
			metadata: { citations: [citation] },
		});
		expect(progress.metadata).toMatchObject({ run_id: "run_1", usage: { output_tokens: 2 }, receipt: [row] });
		expect(updates.at(-2)).toMatchObject({
			artifactUpdate: { append: true, lastChunk: true, artifact: { metadata: { citations: [citation] } } },
		});
		expect(updates.at(-1)).toMatchObject({ statusUpdate: { metadata: { receipt: [row] } } });
		// Where the events do not say who paid, nor does the task.
		expect(reduceAll([started, completed("Five")]).progress.metadata).not.toHaveProperty("receipt");
	});
});

describe("the end of a run", () => {
	const middle = fc.oneof(
		fc.string({ maxLength: 3 }).map((text) => textDelta(text)),
		fc.constantFrom(textDelta("aside", false), reset, reasoningDelta, paused, resumed),
	);

	it("says all by itself, as the store's events may", () => {
		const textOf = (runEvents: readonly TestRunEvent[]): string =>
			runEvents.reduce((text, event) => {
				if (event.type === "text.reset") return "";
				return event.type === "text.delta" && event.final ? text + event.text : text;
			}, "");
		const output = fc.oneof(fc.constant("streamed" as const), fc.jsonValue());
		fc.assert(
			fc.property(
				fc.array(middle),
				output,
				fc.constantFrom(completed, failed, cancelled),
				(runEvents, out, end) => {
					const text = textOf(runEvents);
					// As the engine does: without an answer, what was streamed is the output.
					const answer = out === "streamed" || out === null ? text || null : JSON.parse(JSON.stringify(out));
					const events = toEvents([started, ...runEvents, end(answer)]);
					const complete = addEvents(initialProgress, events);
					const last = addEvents(initialProgress, events.slice(-1));
					const isEmptied = answer === null && complete.artifact?.parts[0]?.text === "";
					expect(last).toEqual(isEmptied ? { ...complete, artifact: undefined } : complete);
				},
			),
		);
	});
});
