import type { RunStatus } from "@stemma/core";
import type { Target } from "../fixture";

/** Front end: opens conversations with agents, by a program of others or by our own client. */
export type FrontEnd = (target: Target, agent: string) => Conversation;

/** Conversation with an agent, as a page has it. What the front end has no means for is a reason. */
export interface Conversation {
	/** Asks; resolves once the answer has ended, or waits for an approval. */
	ask(question: string): Promise<void>;
	/** Decides on all approvals that the answer waits for; resolves as `ask` does. */
	readonly decide: Able<(approved: boolean) => Promise<void>>;
	/** Cancels the run of the answer. */
	readonly cancel: Able<() => Promise<void>>;
	/** Leaves the page and opens it again; resolves as `ask` does. */
	readonly rejoin: Able<() => Promise<void>>;
	/** The answer to the last question, as far as it has come. */
	read(): Answer;
}

/** Function, or the reason why there is none. */
export type Able<Action> = Action | string;

/** Answer as its reader sees it. */
export interface Answer {
	readonly run_id: string | undefined;
	/** None while the run goes on. */
	readonly status: RunStatus | undefined;
	readonly text: string;
	readonly citations: readonly object[];
	readonly error: string | undefined;
	/** Arguments of the calls that wait for an approval. */
	readonly approvals: readonly object[];
}
