import type { WireRunEvent } from "@stemma/client";
import type { Json, RunResult } from "@stemma/core";
import { quote } from "@stemma/core/internal";
import { DomainError } from "../errors/domain-error";
import type { ReplyEvent, ResponderReply } from "./reply";

/** Function that converts the events of one run, from its first one on, to those of a reply. */
export type RunReplyReducer = (event: WireRunEvent) => readonly ReplyEvent[];

/**
 * Creates the reducer of one run. Output that is JSON comes as its text. A run that waits for a person ends the reply with a
 * text that says so.
 *
 * @returns what throws DomainError `run_failed` and `run_cancelled`.
 */
export function createRunReplyReducer(): RunReplyReducer {
	let hasText = false;
	return (event) => {
		switch (event.type) {
			case "run.started":
				return [{ type: "start" }];
			case "text.delta":
				hasText ||= event.final;
				return event.final ? [{ type: "text.delta", text: event.text }] : [];
			case "text.reset":
				hasText = false;
				return [{ type: "text.reset" }];
			case "reasoning.delta":
				return [{ type: "reasoning.delta", text: event.text }];
			case "run.completed": {
				const text = toText(event.result.output);
				return [...(hasText ? [] : toDelta(text)), toFinish(event.result, text)];
			}
			case "run.paused": {
				const text = describePause(event.result);
				const reset: readonly ReplyEvent[] = hasText ? [{ type: "text.reset" }] : [];
				return [...reset, ...toDelta(text), toFinish(event.result, text)];
			}
			case "run.failed":
			case "run.cancelled":
				throw toRunError(event.result);
			default:
				return [];
		}
	};
}

const toText = (output: Json): string =>
	typeof output === "string" ? output : output === null ? "" : JSON.stringify(output);

const toDelta = (text: string): readonly ReplyEvent[] => (text === "" ? [] : [{ type: "text.delta", text }]);

function toFinish(result: RunResult, text: string): ReplyEvent {
	const { run_id, status, citations, receipt, usage, approvals, unknown_citations } = result;
	const reply: ResponderReply = {
		text,
		toolCalls: [],
		finishReason: "stop",
		answer: {
			citations,
			receipt,
			usage,
			fields: {
				run_id,
				status,
				...(approvals !== undefined && { approvals: approvals.map((approval) => ({ ...approval })) }),
				...(unknown_citations !== undefined && { unknown_citations: [...unknown_citations] }),
			},
		},
	};
	return { type: "finish", reply };
}

/** Text in place of the answer of a run that waits for a person. */
export function describePause({ run_id, approvals = [] }: RunResult): string {
	const tools = approvals.map(({ tool }) => quote(tool)).join(", ");
	const what = tools === "" ? "before it goes on" : `for ${tools}`;
	return `The agent needs the approval of a person ${what}. Once that is decided, the run ${run_id} goes on and has the answer.`;
}

/** Clients of vendors send again what failed with 409, 429 or 5xx; a run may have had effects. */
function toRunError({ run_id, status, error }: RunResult): DomainError {
	if (status === "cancelled")
		return new DomainError("run_cancelled", "The run was cancelled before it had an answer.", {
			details: { run_id },
		});
	const { code = "internal_error", message = "The run failed.", hint } = error ?? {};
	return new DomainError("run_failed", message, { hint, details: { run_id, code } });
}
