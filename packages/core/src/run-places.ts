import type { AgentNode } from "./agent-graph";
import { quote } from "./quote";
import { toSecretVariable } from "./secret-variable";

/** `process`: Node, a browser or a phone; `runtime`: the self-hosted runtime; `service`: a stored agent. */
export type RunPlace = "process" | "runtime" | "service";

export interface Runnable {
	readonly runs: boolean;
	/** Why it does not run there, or what it needs there. */
	readonly notes: readonly string[];
}

/** Where a graph can run. Hand-overs and approvals run everywhere. */
export function findRunPlaces(nodes: readonly AgentNode[]): Record<RunPlace, Runnable> {
	const inCode = nodes.filter((node) => node.kind === "tool" && node.server === undefined);
	const refused = inCode.map(
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
	const sealed = secrets.map(
		(name) => `${describeUsers(nodes, name)} the secret ${quote(name)} of the workspace.`,
	);
	return {
		process: {
			runs: true,
			notes: [
				...needService(nodes, "ports of a service, such as `servicePorts(client)`"),
				...registered,
				...variables,
			],
		},
		runtime: {
			runs: true,
			notes: [...needService(nodes, "a runtime with a service"), ...registered, ...variables],
		},
		service: { runs: refused.length === 0, notes: [...refused, ...sealed] },
	};
}

/** Knowledge and stored agents are a service's. */
function needService(nodes: readonly AgentNode[], what: string): string[] {
	const ids = nodes.flatMap((node) =>
		node.kind === "knowledge" || (node.kind === "remote" && node.agentId !== undefined)
			? [quote(node.id)]
			: [],
	);
	return ids.length === 0 ? [] : [`${listIds(ids)} ${what}.`];
}

/** How many ids a note names. */
const NAMED = 5;

function listIds(ids: readonly string[]): string {
	const others = ids.length - NAMED;
	const listed = others > 0 ? `${ids.slice(0, NAMED).join(", ")} and ${others} more` : ids.join(", ");
	return `${listed} ${ids.length === 1 ? "needs" : "need"}`;
}

const secretOf = (node: AgentNode): string | undefined =>
	node.kind === "tool" || node.kind === "remote" ? node.auth?.secret : undefined;

const findSecrets = (nodes: readonly AgentNode[]): string[] => [
	...new Set(nodes.flatMap((node) => secretOf(node) ?? [])),
];

const describeUsers = (nodes: readonly AgentNode[], name: string): string =>
	listIds(nodes.flatMap((node) => (secretOf(node) === name ? [quote(node.id)] : [])));
