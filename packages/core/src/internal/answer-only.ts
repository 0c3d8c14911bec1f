import type { RunEvent } from "../run/run-event";
import type { RunError, RunResult } from "../run/run-result";

/** Fields by which an event of a run is reduced, whatever else its kind has. */
interface ReducibleEvent {
	readonly type: RunEvent["type"];
	readonly run_id: string;
	readonly final?: boolean;
	readonly result?: RunResult;
	readonly error?: RunError;
}

/**
 * Reduces an event to what a caller sees who sees no more of a run than its answer; `undefined` for one that such a caller
 * does not see.
 *
 * @param reduceResult - for callers who see more of a result, such as who paid.
 */
export function toAnswerEvent<Event extends ReducibleEvent>(
	event: Event,
	reduceResult = toAnswerResult,
): Event | undefined {
	const { type, run_id, final, result, error } = event;
	switch (type) {
		case "run.started":
		case "run.resumed":
		case "text.reset":
			return event;
		case "text.delta":
			return final === true ? event : undefined;
		case "run.completed":
		case "run.cancelled":
		case "run.paused":
		case "run.failed":
			return {
				...event,
				...(error && { error: toPublicRunError(error, run_id) }),
				...(result && { result: reduceResult(result) }),
			};
		default:
			return undefined;
	}
}

/** Reduces a result to its answer: without payers, calls of inner nodes, and error details of the graph. */
export function toAnswerResult({ approvals: _, error, ...result }: RunResult): RunResult {
	return { ...result, receipt: [], ...(error && { error: toPublicRunError(error, result.run_id) }) };
}

/** Reduces the error of a run to its code: the details name nodes, and so may the message of what a port or a vendor said. */
export function toPublicRunError({ code }: RunError, runId: string): RunError {
	const hint = `The workspace of this key can see why: stemma runs show ${runId}`;
	return { code, message: MESSAGES[code] ?? "The run failed.", hint };
}

const MESSAGES: { readonly [code: string]: string } = {
	timeout: "The run took too long.",
	max_steps: "The run took too many steps.",
	max_tokens: "The run needed too many tokens.",
	interrupted: "The service stopped while the run was active.",
	budget_exhausted: "The daily budget of this key is used up.",
	context_invalid: "The run's context lacks a value that the agent needs.",
};
