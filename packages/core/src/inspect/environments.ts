import type { AgentNode } from "../graph/agent-graph";
import { quote } from "../internal/quote";
import { toSecretVariable } from "../internal/secret-variable";

/** `process`: Node, a browser or a phone; `runtime`: the self-hosted runtime; `service`: a stored agent. */
export type RunEnvironment = "process" | "runtime" | "service";

export interface Compatibility {
	readonly supported: boolean;
	/** Reasons why the graph does not run there, or requirements of running it there. */
	readonly notes: readonly string[];
}

/** Environments in which a graph can run. Handoffs and approvals run everywhere. */
export function checkEnvironments(nodes: readonly AgentNode[]): Record<RunEnvironment, Compatibility> {
	const codeTools = nodes.filter((node) => node.kind === "tool" && node.server === undefined);
	const unsupported = codeTools.map(
		({ id }) => `${quote(id)} is a tool registered in code; the service calls only tools with a "server".`,
	);
	const registered = nodes.flatMap((node) =>
		node.kind === "tool" && node.server === undefined
			? [`${quote(node.id)} needs a tool registered in code under the name ${quote(node.tool)}.`]
			: [],
	);
	const secrets = findSecrets(nodes);
	const variables = secrets.map(
		(name) =>
			`${describeUsers(nodes, name)} the secret ${quote(name)}: the variable ${toSecretVariable(name)}, or the option \`secrets\`.`,
	);
	const workspaceSecrets = secrets.map(
		(name) => `${describeUsers(nodes, name)} the secret ${quote(name)} of the workspace.`,
	);
	return {
		process: {
			supported: true,
			notes: [
				...describeServiceNeeds(nodes, "ports of a service, such as `servicePorts(client)`"),
				...registered,
				...variables,
			],
		},
		runtime: {
			supported: true,
			notes: [...describeServiceNeeds(nodes, "a runtime with a service"), ...registered, ...variables],
		},
		service: { supported: unsupported.length === 0, notes: [...unsupported, ...workspaceSecrets] },
	};
}

/** Knowledge and stored agents are a service's. */
function describeServiceNeeds(nodes: readonly AgentNode[], what: string): string[] {
	const ids = nodes.flatMap((node) =>
		node.kind === "knowledge" || (node.kind === "remote" && node.agentId !== undefined)
			? [quote(node.id)]
			: [],
	);
	return ids.length === 0 ? [] : [`${listIds(ids)} ${what}.`];
}

/** Most ids that a note names. */
const MAX_NAMED_NODES = 5;

function listIds(ids: readonly string[]): string {
	const others = ids.length - MAX_NAMED_NODES;
	const listed =
		others > 0 ? `${ids.slice(0, MAX_NAMED_NODES).join(", ")} and ${others} more` : ids.join(", ");
	return `${listed} ${ids.length === 1 ? "needs" : "need"}`;
}

const secretOf = (node: AgentNode): string | undefined =>
	node.kind === "tool" || node.kind === "remote" ? node.auth?.secret : undefined;

const findSecrets = (nodes: readonly AgentNode[]): string[] => [
	...new Set(nodes.flatMap((node) => secretOf(node) ?? [])),
];

const describeUsers = (nodes: readonly AgentNode[], name: string): string =>
	listIds(nodes.flatMap((node) => (secretOf(node) === name ? [quote(node.id)] : [])));
