import { DomainError } from "./errors/domain-error";

const MAX_DEPTH = 8;

/** Limits the services, runtimes and agents that a call came through. @throws DomainError `agent_loop` */
export function assertDepth(depth: number): number {
	if (depth <= MAX_DEPTH) return depth;
	throw agentLoop();
}

export const agentLoop = (): DomainError =>
	new DomainError("agent_loop", `This call came through more than ${MAX_DEPTH} agents.`, {
		hint: "Agents seem to call one another in a circle: look where each of them leads.",
	});
