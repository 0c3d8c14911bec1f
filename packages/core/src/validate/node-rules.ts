import { quote } from "../internal/quote";
import type { Rule } from "./rule";

/** Rule that a graph has at least one node. */
export const emptyGraphRule: Rule = ({ hasNodes, nodes }, report) => {
	if (hasNodes && nodes.length === 0)
		report(
			"empty_graph",
			["nodes"],
			'A graph has at least one node, its coordinator: { id: "…", kind: "coordinator" }.',
		);
};

/** Most coordinators that a message names. */
const MAX_NAMED_NODES = 5;

export const coordinatorRule: Rule = ({ nodes }, report) => {
	const coordinators = nodes.filter((node) => node.kind === "coordinator");
	if (coordinators.length === 1 || nodes.length === 0) return;
	const named = coordinators
		.slice(0, MAX_NAMED_NODES)
		.map(({ id, index }) => (id === undefined ? `nodes[${index}]` : quote(id)));
	const more = coordinators.length > MAX_NAMED_NODES ? ", …" : "";
	report(
		"coordinator_count",
		["nodes"],
		coordinators.length === 0
			? 'No node is the coordinator. Give exactly one node the kind "coordinator": it receives the run\'s input.'
			: `${coordinators.length} coordinators (${named.join(", ")}${more}). Keep one, and give the others the kind "agent".`,
	);
};

export const duplicateIdRule: Rule = ({ nodes }, report) => {
	const firstIndex = new Map<string, number>();
	for (const { id, index } of nodes) {
		if (id === undefined) continue;
		const first = firstIndex.get(id);
		if (first === undefined) firstIndex.set(id, index);
		else
			report(
				"duplicate_node_id",
				["nodes", index, "id"],
				`${quote(id)} is already the id of nodes[${first}]. Give each node an id of its own.`,
			);
	}
};

export const remoteTargetRule: Rule = ({ nodes }, report) => {
	for (const { kind, index, fields } of nodes) {
		if (kind !== "remote") continue;
		const targets = ["agentId", "url"].filter((field) => fields[field] !== undefined);
		if (targets.length === 1) continue;
		const found = targets.length === 0 ? "neither" : "both";
		report(
			"invalid_shape",
			["nodes", index],
			`A remote node has exactly one of "agentId" and "url"; this one has ${found}.`,
		);
	}
};

export const authRule: Rule = ({ nodes }, report) => {
	for (const { kind, index, fields } of nodes)
		if (kind === "tool" && fields.auth !== undefined && fields.server === undefined)
			report(
				"invalid_shape",
				["nodes", index, "auth"],
				'"auth" is sent to a server: add "server", or leave "auth" out for a tool registered in code.',
			);
};
