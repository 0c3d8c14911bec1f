import { parseEvent } from "@stemma/runs";
import { requestCancelled } from "../errors/to-domain-error";
import type { RequestScope } from "../request-scope";
import { startAgentRun } from "../runs/start-agent-run";
import type { StoredRun } from "../runs/stored-run";
import { toVisibleRecord, visibilityOf } from "../runs/visibility";
import type { AnswerRequest } from "./answer-request";
import { limitOutput } from "./limit-output";
import { readReply } from "./read-reply";
import type { ReplyEvent, Responder } from "./reply";
import { createRunReplyReducer } from "./run-reply";

/** Options of a run that answers a request. */
export interface AgentResponderOptions {
	/** Name of the model in responses. */
	readonly model: string;
	readonly agentIdOrSlug: string;
	/** Context of the run. Default: none. */
	readonly context?: { readonly [key: string]: unknown } | undefined;
}

/**
 * Starts a run of an agent that answers a request. It is cancelled when the request is: nobody could find its answer.
 *
 * @throws DomainError as `startAgentRun` does.
 */
export async function createAgentResponder(
	scope: RequestScope,
	{ messages, maxOutputTokens }: AnswerRequest,
	{ model, agentIdOrSlug, context }: AgentResponderOptions,
): Promise<Responder> {
	const { runs } = scope.workspace.store;
	const [first] = messages;
	const input = messages.length === 1 && first !== undefined ? first.content : { messages };
	const run = await startAgentRun(scope, { agentIdOrSlug, input, context, background: false }, runs.insert);
	const stream = (): AsyncGenerator<ReplyEvent> => {
		const events = readRun(scope, run);
		return maxOutputTokens === undefined ? events : limitOutput(events, maxOutputTokens);
	};
	return {
		model,
		canSeeReceipt: visibilityOf(scope.caller) !== "answer",
		stream,
		generate: () => readReply(stream()),
	};
}

/** The events of a run that its caller sees, as those of a reply. */
async function* readRun(
	{ caller, signal, workspace }: RequestScope,
	{ id }: StoredRun,
): AsyncGenerator<ReplyEvent> {
	const reduce = createRunReplyReducer();
	let isFinished = false;
	try {
		for await (const records of workspace.runs.watch(id, 0, signal))
			for (const record of records) {
				const visible = toVisibleRecord(record, visibilityOf(caller));
				for (const event of visible === undefined ? [] : reduce(parseEvent(visible))) {
					isFinished ||= event.type === "finish";
					yield event;
				}
			}
		if (signal.aborted) throw requestCancelled();
	} finally {
		if (!isFinished) await workspace.runs.cancel(id);
	}
}
