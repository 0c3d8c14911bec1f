import type { RuntimeAgentIssue } from "@stemma/client";
import type { AgentGraph } from "@stemma/core";
import { quote, toSecretVariable } from "@stemma/core/internal";
import type { LocalPorts } from "@stemma/local";
import { readEnvironment } from "../platform/environment";

/**
 * The variables that a graph's nodes need and that are not set: their calls fail. Nodes whose port was given ask that port
 * instead.
 */
export function findMissingSecrets(
	{ nodes }: AgentGraph,
	given: Pick<LocalPorts, "tools" | "agents">,
): readonly RuntimeAgentIssue[] {
	const ports = { tool: given.tools, remote: given.agents } as const;
	return nodes.flatMap((node, index) => {
		if ((node.kind !== "tool" && node.kind !== "remote") || node.auth === undefined) return [];
		const variable = toSecretVariable(node.auth.secret);
		if (ports[node.kind] !== undefined || readEnvironment(variable)) return [];
		const message = `${quote(node.id)} needs the variable ${variable}, and it is not set: its calls will fail.`;
		return [{ code: "secret_missing", message, path: ["nodes", index, "auth"] }];
	});
}
