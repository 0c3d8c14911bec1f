import { type AgentGraph, type Json, validateAgent } from "@stemma/core";
import { type AgentGraphError, ConfigurationError, formatPath } from "@stemma/core/errors";
import { quote } from "@stemma/core/internal";
import { createLocalAgent } from "@stemma/local";
import { DomainError } from "../errors/domain-error";
import { isSecretName, SECRET_NAME_HINT } from "../workspace-secrets/secret-name";

/**
 * A graph that the service can run.
 *
 * @throws DomainError `agent_invalid` with every violation; `agent_not_runnable` for parts that cannot run here.
 */
export function checkGraph(json: unknown): AgentGraph {
	const validation = validateAgent(json);
	if (!validation.success) throw toInvalidError(validation.error);
	const { graph } = validation;
	const codeTools = graph.nodes.filter((node) => node.kind === "tool" && node.server === undefined);
	if (codeTools.length > 0)
		throw new DomainError(
			"agent_not_runnable",
			`The tools of ${codeTools.map(({ id }) => `"${id}"`).join(", ")} exist only in your code, which the service does not have.`,
			{ hint: "Give the nodes a `server`, or run the graph with @stemma/local or in a runtime." },
		);
	assertNoUnusedSecrets(graph);
	assertSecretNames(graph);
	assertRunnable(graph);
	return graph;
}

function assertNoUnusedSecrets({ nodes }: AgentGraph): void {
	const node = nodes.find(
		(candidate) =>
			candidate.kind === "remote" && candidate.agentId !== undefined && candidate.auth !== undefined,
	);
	if (node === undefined) return;
	throw new DomainError(
		"agent_not_runnable",
		`The node "${node.id}" has a secret, but agents of the service accept none.`,
		{ hint: "Remove `auth` from the node, or name the agent by its `url`." },
	);
}

/** The workspace could keep nothing under any other name. */
function assertSecretNames({ nodes }: AgentGraph): void {
	for (const [index, node] of nodes.entries()) {
		const name = "auth" in node ? node.auth?.secret : undefined;
		if (name === undefined || isSecretName(name)) continue;
		throw new DomainError(
			"agent_not_runnable",
			`The node ${quote(node.id)} names the secret ${quote(name)}, and no secret of a workspace can be called that.`,
			{ hint: SECRET_NAME_HINT, param: formatPath(["graph", "nodes", index, "auth", "secret"]) },
		);
	}
}

function assertRunnable(graph: AgentGraph): void {
	try {
		createLocalAgent(graph, {
			ports: { models: UNUSED_PORTS, retriever: UNUSED_PORTS, tools: UNUSED_PORTS, agents: UNUSED_PORTS },
		});
	} catch (error) {
		if (!ConfigurationError.is(error)) throw error;
		throw new DomainError("agent_not_runnable", error.message, { hint: error.hint });
	}
}

function toInvalidError({ issues }: AgentGraphError): DomainError {
	const [first] = issues;
	const count = issues.length === 1 ? "1 problem" : `${issues.length} problems`;
	return new DomainError(
		"agent_invalid",
		`The graph has ${count}${first === undefined ? "" : `; the first: ${first.message}`}`,
		{
			hint: "details.issues lists all of them.",
			param: formatPath(["graph", ...(first?.path ?? [])]),
			// Codes, messages and paths: JSON.
			details: { issues: issues as unknown as Json[] },
		},
	);
}

const failOnCall = (): never => {
	throw new Error("Nothing is run while a graph is checked.");
};
const UNUSED_PORTS = {
	resolve: failOnCall,
	retrieve: failOnCall,
	describe: failOnCall,
	call: failOnCall,
	run: failOnCall,
};
