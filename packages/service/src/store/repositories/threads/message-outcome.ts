import type { RunResult } from "@stemma/core";
import type { LoggedEvent } from "@stemma/runs";
import type { MessageOutcome } from "../../../threads/stored-thread";
import type { MessageRow } from "../../sqlite/threads/thread-tables";

/** Columns of an answer that has ended. */
export interface OutcomeColumns
	extends Pick<MessageRow, "text" | "status" | "citations" | "receipt" | "error"> {
	readonly refused: NonNullable<MessageRow["refused"]> | null;
}

/** Reads the outcome of an answer out of the last event of its run. */
export function readOutcome({ json, status }: LoggedEvent): MessageOutcome {
	// What the service wrote is trusted, and not checked again.
	const { output, citations, receipt, error } = (JSON.parse(json) as { readonly result: RunResult }).result;
	return {
		text: typeof output === "string" ? output : output === null ? "" : JSON.stringify(output),
		status: status === "completed" || status === "cancelled" ? status : "failed",
		citations,
		receipt,
		...(error !== undefined && { error }),
	};
}

export const toOutcomeColumns = ({
	text,
	status,
	citations,
	refused,
	receipt,
	error,
}: MessageOutcome): OutcomeColumns => ({
	text,
	status,
	citations: toJson(citations),
	refused: refused ?? null,
	receipt: toJson(receipt),
	error: toJson(error),
});

const toJson = (value: object | undefined): string | null =>
	value === undefined ? null : JSON.stringify(value);
