import type { AgentEntry } from "../agents/catalog";
import type { RunInput, RunnableAgent } from "../agents/runnable-agent";
import type { Run } from "../runs/run";
import type { RunRegistry } from "../runs/run-registry";
import { HttpError } from "./http-error";
import { toStartError } from "./upstream-error";

/**
 * Starts a run of an agent that is ready.
 *
 * @param depth - hops that the request has behind it.
 * @throws HttpError when nothing was started.
 */
export type StartRun = (
	entry: AgentEntry & { readonly agent: RunnableAgent },
	input: RunInput,
	depth: number,
) => Promise<Run>;

export const createStartRun =
	(registry: RunRegistry, isClosing: () => boolean): StartRun =>
	async (entry, input, depth) => {
		if (isClosing()) throw shuttingDown();
		const subject = { agentId: entry.id, agentVersion: entry.revision };
		try {
			return await registry.start({ agent: entry.agent, subject, input, depth: depth + 1 });
		} catch (error) {
			throw toStartError(error, entry) ?? error;
		}
	};

const shuttingDown = (): HttpError =>
	new HttpError(503, "The runtime is shutting down.", {
		code: "shutting_down",
		hint: "Try again in a few seconds.",
		headers: { "retry-after": "5" },
	});
