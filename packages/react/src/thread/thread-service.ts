import type {
	AgentRunInput,
	AgentRunStream,
	ApprovalDecisionRequest,
	AskRegeneration,
	AskRequest,
	AskStream,
	CreatedThread,
	JsonObject,
	ThreadMessageList,
} from "@stemma/client";

/** Option of calls with a thread. */
interface ThreadCallOptions {
	readonly thread_token?: string | undefined;
}

/** Option of calls about a run. */
interface RunCallOptions {
	readonly run_token?: string | undefined;
}

/** Verdict on an answer. */
interface AnswerFeedback {
	readonly rating: "up" | "down";
	readonly comment?: string;
}

/** Parts of the client that {@link useThread} needs: a `Stemma`, or the same parts as functions of a client. */
export interface ThreadService {
	/** `stemma.threads` or `threads(client)`. */
	readonly threads: {
		create(): Promise<CreatedThread>;
		messages(
			threadId: string,
			options?: ThreadCallOptions & { readonly branch?: string | undefined },
		): Promise<Pick<ThreadMessageList, "messages">>;
	};
	/** `stemma.runs` or `runs(client)`. */
	readonly runs: {
		stream(runId: string, options: RunCallOptions & { readonly after?: number }): AgentRunStream;
		cancel(runId: string, options?: RunCallOptions): Promise<object>;
		decide(runId: string, approvalId: string, decision: ApprovalDecisionRequest): Promise<object>;
		sendFeedback(runId: string, feedback: AnswerFeedback, options?: RunCallOptions): Promise<object>;
	};
	/** `stemma.agents` or `agents(client)`: for threads with an agent. */
	readonly agents?: {
		stream(agent: string, request: AgentRunInput, options?: ThreadCallOptions): AgentRunStream;
	};
	/** `stemma.ask` or `ask(client)`: for threads with knowledge bases. */
	readonly ask?: {
		stream(request: AskRequest | AskRegeneration, options?: ThreadCallOptions): AskStream;
		/** Left out: answers are not stored, and cannot be rated. */
		sendFeedback?(
			answerId: string,
			feedback: AnswerFeedback,
			options?: { readonly answer_token?: string | undefined },
		): Promise<object>;
	};
}

/** Answers of a thread: by an agent, or from knowledge bases. */
export type ThreadTarget = AgentTarget | KnowledgeTarget;

interface AgentTarget {
	/** Id or slug of the agent that answers. */
	readonly agent: string;
	/** Fills `{{context.path}}` in the agent's instructions. */
	readonly context?: JsonObject | undefined;
	readonly knowledgeBaseIds?: undefined;
}

interface KnowledgeTarget {
	/** Knowledge bases that answers are from. */
	readonly knowledgeBaseIds: readonly string[];
	readonly agent?: undefined;
	readonly context?: undefined;
}
