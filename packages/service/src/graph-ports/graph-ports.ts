import type { AgentPort, LocalPorts, ToolPort } from "@stemma/local";
import type { Outside } from "./outside";
import { toOutsideError } from "./outside-error";

export interface GraphPortsOptions {
	readonly outside: Outside;
	/** Agents of the workspace. */
	readonly nested: AgentPort;
	/** How many services and runtimes are passed by what goes out. */
	readonly depth: number;
	/** Whether the caller may see which setting of the operator opens an address. */
	readonly seesAddresses: boolean;
}

/** What a run reaches along the edges to tools and other agents. */
export function createGraphPorts({
	outside,
	nested,
	depth,
	seesAddresses,
}: GraphPortsOptions): Required<Pick<LocalPorts, "tools" | "agents">> {
	const { tools, agents } = outside.atDepth(depth);
	async function telling<Result>(address: string, work: Promise<Result>): Promise<Result> {
		try {
			return await work;
		} catch (error) {
			throw toOutsideError(error, { address, seesAddresses });
		}
	}
	const toolPort: ToolPort = {
		describe: (tool, call) => telling(tool.server ?? "", tools.describe(tool, call)),
		call: (request, call) => telling(request.server ?? "", tools.call(request, call)),
	};
	const agentPort: AgentPort = {
		run: (request, call) =>
			"url" in request.agent
				? telling(request.agent.url, agents.run(request, call))
				: nested.run(request, call),
	};
	return { tools: toolPort, agents: agentPort };
}
