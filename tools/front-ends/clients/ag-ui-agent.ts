import type { Target } from "../fixture";

/** Message of AG-UI. */
export interface Message {
	readonly id: string;
	readonly role: string;
	readonly content?: string;
	readonly toolCalls?: readonly {
		readonly function: { readonly name: string; readonly arguments: string };
	}[];
}
export interface Interrupt {
	readonly id: string;
	readonly metadata: { readonly stemma: { readonly arguments: object } };
}
/** What the state of a run has of us. */
export interface StemmaState {
	readonly run_id: string;
	readonly status?: string;
	readonly run_token?: string;
	readonly citations?: readonly object[];
	readonly receipt?: readonly object[];
}
export interface Agent {
	readonly messages: readonly Message[];
	readonly state: { readonly stemma?: StemmaState; readonly [field: string]: unknown };
	readonly interrupts: readonly Interrupt[];
	readonly errors: readonly { readonly code: string; readonly message: string }[];
	run(text?: string, options?: object): Promise<void>;
	addMessage(message: object): void;
}
/** AG-UI's own client, from the packages that the tests install. */
export interface AgentProgram {
	openAgent(options: {
		readonly url: string;
		readonly fetch: Target["fetch"];
		readonly threadId: string;
	}): Agent;
	/** Class `HttpAgent` with a `fetch`. */
	createHttpAgent(fetch: Target["fetch"]): unknown;
}

export const loadAgentProgram = (): Promise<AgentProgram> =>
	import(/* @vite-ignore */ new URL("../programs/ag-ui.mjs", import.meta.url).href);

/** Texts of the user and of the assistant. */
export const textsOf = ({ messages }: Agent): readonly string[] =>
	messages
		.flatMap(({ role, content = "" }) => (role === "user" || role === "assistant" ? [content] : []))
		.filter(Boolean);
