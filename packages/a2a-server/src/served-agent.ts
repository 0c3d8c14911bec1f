import type { A2aAgentCard } from "@stemma/client/a2a";
import type { TaskStore } from "./task-store";

/** An agent as one request meets it: whoever hosts it has looked at the credentials and found it by the path. */
export interface ServedAgent {
	/** The path of its JSON-RPC interface, as the request's URL has it: `/a2a/desk`. The other paths go on from there. */
	readonly basePath: string;
	readonly card: A2aAgentCard;
	/** Tasks of the agent, as the request's caller may see them. */
	readonly store: TaskStore;
}
