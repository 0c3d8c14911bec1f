import type {
	Approval,
	AskEvent,
	Citation,
	ReceiptRow,
	RunStatus,
	ThreadMessage,
	WireRunEvent,
} from "@stemma/client";
import type { RunHandle } from "../run-state";
import type { AnswerHandle, ChatError, ChatMessage, ThreadHandle } from "./thread-state";

/** End of an answer, or its pause for approvals. */
export interface AnswerEnd {
	readonly status: RunStatus;
	/** `msg_…`, where the end says it. */
	readonly id?: string | undefined;
	/** Text of the whole answer; the text so far stays where there is none. */
	readonly text?: string | undefined;
	readonly citations: readonly Citation[];
	readonly receipt: readonly ReceiptRow[];
	readonly approvals: readonly Approval[];
	/** Stored answer, by which it is rated. */
	readonly answer?: AnswerHandle | undefined;
	readonly error?: ChatError | undefined;
}

/** Change of a thread: from the service, from a stream of an answer, or by the person on the page. */
export type ThreadEvent =
	| { readonly type: "thread.opened"; readonly handle: ThreadHandle }
	| { readonly type: "thread.loading" }
	/** Messages of the service, oldest first. */
	| { readonly type: "thread.loaded"; readonly messages: readonly ThreadMessage[] }
	| { readonly type: "thread.failed"; readonly error: ChatError }
	/** Message that this page has made; it is shown. */
	| { readonly type: "message.added"; readonly message: ChatMessage }
	| { readonly type: "message.selected"; readonly key: string }
	| {
			readonly type: "message.changed";
			readonly key: string;
			readonly change: Partial<
				Pick<ChatMessage, "status" | "error" | "canReconnect" | "approvals" | "rating">
			>;
	  }
	/** The service has the answer under this id. */
	| {
			readonly type: "answer.started";
			readonly key: string;
			readonly id?: string | undefined;
			readonly run?: RunHandle | undefined;
	  }
	/** The answer is read from its beginning. */
	| { readonly type: "answer.rejoined"; readonly key: string }
	| { readonly type: "answer.event"; readonly key: string; readonly event: WireRunEvent | AskEvent }
	| { readonly type: "answer.ended"; readonly key: string; readonly end: AnswerEnd };
