import { createSuggest } from "../internal/did-you-mean";
import { quote } from "../internal/quote";
import { groupContinuations, isSwitch } from "./graph-outline";
import type { Rule } from "./rule";

/** Looking for a name takes as long as there are nodes, so suggesting one for every edge would be quadratic. */
const MAX_SUGGESTIONS = 20;

export const knownNodeRule: Rule = ({ nodes, edges }, report) => {
	const ids = new Set(nodes.flatMap((node) => node.id ?? []));
	const suggest = createSuggest(MAX_SUGGESTIONS);
	// A node that is missing is mostly missing for many edges.
	const messages = new Map<string, string>();
	const describe = (id: string): string => {
		const hint = suggest(id, ids) || " Add that node, or remove the edge.";
		const message = `No node has the id ${quote(id)}.${hint}`;
		messages.set(id, message);
		return message;
	};
	for (const { index, from, to } of edges) {
		if (from !== undefined && from !== "" && !ids.has(from))
			report("unknown_node", ["edges", index, "from"], messages.get(from) ?? describe(from));
		if (to !== undefined && to !== "" && !ids.has(to))
			report("unknown_node", ["edges", index, "to"], messages.get(to) ?? describe(to));
	}
};

export const selfLoopRule: Rule = ({ edges }, report) => {
	for (const { from, to, index } of edges)
		if (from !== undefined && from === to)
			report("self_loop", ["edges", index], `${quote(from)} has an edge to itself. Remove it.`);
};

export const duplicateEdgeRule: Rule = ({ edges }, report) => {
	const firstIndex = new Map<string, number>();
	for (const { from, to, mode, index } of edges) {
		if (from === undefined || to === undefined || mode === undefined) continue;
		const key = `${from.length} ${from}${to} ${mode}`;
		const first = firstIndex.get(key);
		if (first === undefined) firstIndex.set(key, index);
		else
			report(
				"duplicate_edge",
				["edges", index],
				`The same as edges[${first}]: ${quote(mode)} from ${quote(from)} to ${quote(to)}. Keep one of them.`,
			);
	}
};

export const callOrHandoffRule: Rule = ({ edges }, report) => {
	const firstIndex = new Map<string, { readonly index: number; readonly mode: string }>();
	for (const { from, to, mode, index } of edges) {
		if (from === undefined || to === undefined || (mode !== "call" && mode !== "handoff")) continue;
		const key = `${from.length} ${from}${to}`;
		const first = firstIndex.get(key);
		if (first === undefined) firstIndex.set(key, { index, mode });
		else if (first.mode !== mode)
			report(
				"edge_not_allowed",
				["edges", index],
				`edges[${first.index}] is a ${quote(first.mode)} edge between the same nodes, and the model of ${quote(from)} has only one name, ${quote(to)}, to reach it by. Keep one of them, or lead the other to a second node.`,
			);
	}
};

const MODEL_MODES: readonly unknown[] = ["call", "handoff", "before"];
const OTHER_KINDS: readonly unknown[] = ["knowledge", "tool", "remote"];

export const modeRule: Rule = ({ nodes, edges }, report) => {
	const kinds = new Map(nodes.map((node) => [node.id, node.kind]));
	for (const { from = "", mode = "", index } of edges) {
		const kind = kinds.get(from) ?? "";
		if (!OTHER_KINDS.includes(kind) || !MODEL_MODES.includes(mode)) continue;
		report(
			"edge_not_allowed",
			["edges", index],
			`A ${quote(mode)} edge leaves only from a coordinator or an agent; ${quote(from)} is of kind ${quote(kind)}. Only "then" leaves from every kind.`,
		);
	}
};

export const continuationRule: Rule = ({ edges }, report) => {
	for (const [from, group] of groupContinuations(edges)) {
		if (!isSwitch(group)) continue;
		for (const edge of group.slice(0, -1))
			if (!edge.guarded)
				report(
					"edge_not_allowed",
					["edges", edge.index],
					`The "then" edges of ${quote(from)} are a switch, so this one needs "when", or the last place, where it is the else.`,
				);
	}
};

export const guardRule: Rule = ({ edges }, report) => {
	for (const { when, index } of edges) {
		if (when === undefined) continue;
		const tests = ["equals", "in", "exists"].filter((test) => when[test] !== undefined);
		if (tests.length === 1) continue;
		const found = tests.length === 0 ? "none" : tests.map(quote).join(" and ");
		report(
			"invalid_shape",
			["edges", index, "when"],
			`A guard has exactly one of "equals", "in" and "exists"; this one has ${found}.`,
		);
	}
};
