import { StemmaError } from "@stemma/core/errors";
import type { AgentPort, LocalPorts, ToolPort } from "@stemma/local";
import { BlockedAddressError } from "../outbound/blocked-address-error";
import type { Outside } from "./outside";

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
	const tools = outside.tools.atDepth(depth);
	const agents = outside.agents.atDepth(depth);
	const telling = async <Result>(work: Promise<Result>): Promise<Result> => {
		try {
			return await work;
		} catch (error) {
			throw seesAddresses ? error : hideAddress(error);
		}
	};
	const toolPort: ToolPort = {
		describe: (tool, call) => telling(tools.describe(tool, call)),
		call: (request, call) => telling(tools.call(request, call)),
	};
	const agentPort: AgentPort = {
		run: (request, call) =>
			"agentId" in request.agent ? nested.run(request, call) : telling(agents.run(request, call)),
	};
	return { tools: toolPort, agents: agentPort };
}

/** How an operator opens an address is for those who may change settings. */
function hideAddress(error: unknown): unknown {
	if (!BlockedAddressError.is(error)) return error;
	return new StemmaError("An address in the graph may not be called.", {
		code: error.code,
		hint: "Whoever may change the settings of the workspace is told why.",
		cause: error,
	});
}
