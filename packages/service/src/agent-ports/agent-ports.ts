import type { AgentPort, LocalPorts, ToolPort } from "@stemma/local";
import type { ExternalPorts } from "./external-ports";
import { toRemoteError } from "./remote-error";

/** Options of the ports through which a run reaches tools and other agents. */
export interface AgentPortsOptions {
	readonly externalPorts: ExternalPorts;
	/** Agents of the workspace. */
	readonly nestedAgentPort: AgentPort;
	/** Number of services and runtimes that outgoing calls have passed through. */
	readonly depth: number;
	/** True where the caller may see which setting of the operator allows an address. */
	readonly canSeeAddresses: boolean;
	/** Called before each call of a run, which is made once it resolves: nothing is called twice after a crash. */
	saveState(runId: string): Promise<void>;
}

export function createAgentPorts({
	externalPorts,
	nestedAgentPort,
	depth,
	canSeeAddresses,
	saveState,
}: AgentPortsOptions): Required<Pick<LocalPorts, "tools" | "agents">> {
	const { tools, agents } = externalPorts.atDepth(depth);
	async function withRemoteErrors<Result>(address: string, work: Promise<Result>): Promise<Result> {
		try {
			return await work;
		} catch (error) {
			throw toRemoteError(error, { address, canSeeAddresses });
		}
	}
	async function afterSaving<Result>(
		runId: string,
		{ signal }: { readonly signal: AbortSignal },
		call: () => Promise<Result>,
	): Promise<Result> {
		await saveState(runId);
		signal.throwIfAborted();
		return call();
	}
	const toolPort: ToolPort = {
		describe: (tool, call) => withRemoteErrors(tool.server ?? "", tools.describe(tool, call)),
		call: (request, call) =>
			afterSaving(request.runId, call, () =>
				withRemoteErrors(request.server ?? "", tools.call(request, call)),
			),
	};
	const agentPort: AgentPort = {
		run: (request, call) =>
			afterSaving(request.runId, call, () =>
				"url" in request.agent
					? withRemoteErrors(request.agent.url, agents.run(request, call))
					: nestedAgentPort.run(request, call),
			),
	};
	return { tools: toolPort, agents: agentPort };
}
