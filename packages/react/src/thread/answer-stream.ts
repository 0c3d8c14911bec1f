import {
	type AgentRunStream,
	type Answer,
	type AskEvent,
	type AskStream,
	RunFailedError,
	type RunResult,
	type WireRunEvent,
} from "@stemma/client";
import type { AnswerEnd } from "./thread-event";
import type { AnswerHandle } from "./thread-state";

/** Answer that is being written: a run of an agent, or an answer from knowledge bases. */
export interface AnswerStream extends AsyncIterable<WireRunEvent | AskEvent> {
	/** Id of the run, from its first event on; answers from knowledge bases have none. */
	readonly run_id?: string | undefined;
	readonly run_token?: string | undefined;
	/** End of the answer. @throws the client's error where it has none, or where it is not known. */
	end(): Promise<AnswerEnd>;
	cancel(): void;
	/** Stops reading. A run continues; an answer from knowledge bases ends. */
	close(): void;
}

const NONE: readonly never[] = [];

/** Reads the handle of a stored answer; `undefined` for what is not stored. */
export const toAnswerHandle = ({
	answer_id,
	answer_token,
}: Pick<Answer, "answer_id" | "answer_token">): AnswerHandle | undefined =>
	answer_id === undefined ? undefined : { answer_id, answer_token };

export const toRunAnswer = (stream: AgentRunStream): AnswerStream => ({
	[Symbol.asyncIterator]: () => stream[Symbol.asyncIterator](),
	get run_id() {
		return stream.run_id;
	},
	get run_token() {
		return stream.run_token;
	},
	cancel: stream.cancel,
	close: stream.close,
	async end() {
		try {
			return toRunEnd(await stream.result());
		} catch (error) {
			if (!RunFailedError.is(error)) throw error;
			return { ...toRunEnd(error.result), error };
		}
	},
});

function toRunEnd({ status, output, citations, receipt, approvals = NONE }: RunResult): AnswerEnd {
	const text = output === null ? undefined : typeof output === "string" ? output : JSON.stringify(output);
	return { status, text, citations, receipt, approvals };
}

export function toAskAnswer(stream: AskStream): AnswerStream {
	let isCancelled = false;
	return {
		[Symbol.asyncIterator]: () => stream[Symbol.asyncIterator](),
		cancel() {
			isCancelled = true;
			stream.close();
		},
		close: stream.close,
		async end() {
			try {
				const whole = await stream.answer();
				const { answer: text, message_id: id, citations, receipt } = whole;
				return {
					...{ status: "completed", id, text, citations, receipt, approvals: NONE },
					answer: toAnswerHandle(whole),
				};
			} catch (error) {
				if (isCancelled) return { status: "cancelled", citations: NONE, receipt: NONE, approvals: NONE };
				throw error;
			}
		},
	};
}
