import type { Json, RunError, RunResult } from "@stemma/core";
import type { CitationReducer } from "./citation-reducer";
import { emit, emitOf } from "./emit";
import type { Invocation } from "./invocation";
import { abandonModelCall } from "./receipt";
import { createAnswer, type RunState } from "./run-state";

/**
 * Ends the run: what is still under way is closed and aborted, and the result holds what was done so far.
 *
 * @param root - the coordinator's invocation, where the run completed.
 */
export function endRun(
	run: RunState,
	status: "completed" | "failed" | "cancelled",
	error?: RunError,
	root?: Invocation,
): void {
	if (run.result !== undefined) return;
	closeOpen(run, error ?? { code: "cancelled", message: "The run was cancelled." });
	const output = root === undefined ? endEarly(run) : finishAnswer(run, root);
	const result = toResult(run, status, output, error);
	run.result = result;
	run.tasks.length = 0;
	if (status !== "completed") run.commands.push({ type: "abort", scope: 0 });
	if (status === "failed") emit(run, { type: "run.failed", error: error ?? UNKNOWN, result });
	else emit(run, { type: status === "completed" ? "run.completed" : "run.cancelled", result });
}

const UNKNOWN: RunError = { code: "internal_error", message: "The run failed." };

function closeOpen(run: RunState, error: RunError): void {
	for (const command of [...run.modelCalls]) abandonModelCall(run, command);
	for (const invocation of [...run.open].reverse()) {
		invocation.closed = true;
		emitOf(run, invocation, { type: "node.failed", error, ms: run.now - invocation.startedAt });
	}
	run.open.clear();
}

/** The text that was sent so far, if any was. */
function endEarly(run: RunState): Json {
	return run.answer.text === "" ? null : run.answer.text;
}

/** Text that was not streamed as the answer is sent now; of JSON, every string is read for citations. */
function finishAnswer(run: RunState, root: Invocation): Json {
	const { value } = root;
	if (typeof value !== "string") {
		run.answer = createAnswer(run);
		return citeLeaves(value, run.answer);
	}
	if (run.answer.text === "") {
		const text = run.answer.push(value) + run.answer.flush();
		if (text !== "") emitOf(run, root, { type: "text.delta", text, final: true });
	}
	return run.answer.text;
}

function citeLeaves(value: Json, answer: CitationReducer): Json {
	if (typeof value === "string") {
		const text = answer.push(value) + answer.flush();
		answer.push("\n");
		answer.flush();
		return text;
	}
	if (Array.isArray(value)) return value.map((element: Json) => citeLeaves(element, answer));
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, element]) => [key, citeLeaves(element, answer)]),
	);
}

function toResult(
	run: RunState,
	status: RunResult["status"],
	output: Json,
	error: RunError | undefined,
): RunResult {
	const receipt = run.receipt.flatMap((row) => row ?? []);
	return {
		run_id: run.runId,
		status,
		output,
		citations: run.answer.citations,
		usage: {
			input_tokens: run.inputTokens,
			output_tokens: run.outputTokens,
			model_calls: receipt.length,
			steps: run.steps,
		},
		receipt,
		...(error === undefined ? {} : { error }),
	};
}
