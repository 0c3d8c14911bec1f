import {
	type AgentGraph,
	type AgentInspection,
	DEFAULT_LIMITS,
	type RunEnvironment,
	type TaintPath,
} from "@stemma/core";
import { count } from "../terminal/text/count";
import { describeNode, list } from "./describe-node";
import { describeRemoteCalls } from "./remote-calls";
import type { TextBlock, TextLine } from "./wrap-text";

/** Explains what a graph may do, reach and cost, for the person responsible for it. */
export function explainGraph(graph: AgentGraph, inspection: AgentInspection, file: string): TextBlock[] {
	return [
		describeGraph(graph, file),
		...graph.nodes.map((node) => describeNode(node, graph, inspection)),
		...describeUnreachable(inspection),
		describeCost(inspection, graph),
		...describeTaintPaths(inspection),
		...describeApprovals(graph),
		describeLimits(graph),
		describeEnvironments(inspection),
	];
}

function describeGraph({ name, description, nodes, edges = [] }: AgentGraph, file: string): TextBlock {
	const entry = nodes.find(({ kind }) => kind === "coordinator")?.id ?? "";
	return {
		title: name ?? file,
		note: `${name === undefined ? "" : `${file}: `}${count(nodes.length, "node")}, ${count(edges.length, "edge")}`,
		lines: [
			...(description === undefined ? [] : [{ text: description }]),
			{ text: `a run begins and ends at ${entry}` },
		],
	};
}

function describeUnreachable({ unreachable }: AgentInspection): TextBlock[] {
	if (unreachable.length === 0) return [];
	const text = `${list(unreachable)}: no path of edges leads there from the coordinator`;
	return [{ title: "Never runs", lines: [{ text, isWarning: true }] }];
}

function describeCost({ modelCalls }: AgentInspection, { limits }: AgentGraph): TextBlock {
	const { max, boundBy, cycle, unlimitedCalls = [], remotes, rewrites = [] } = modelCalls;
	const maxSteps = limits?.maxSteps ?? DEFAULT_LIMITS.maxSteps;
	const title = "Model calls of a run";
	const sum = max + rewrites.length;
	const bound =
		boundBy === "graph" && sum <= maxSteps
			? "set by maxTurns and maxCalls"
			: `set by the limit maxSteps of ${maxSteps}`;
	const besides = remotes === undefined ? "" : `, besides ${describeRemoteCalls(remotes)}`;
	const lines: TextLine[] = [
		{ text: `at most ${count(Math.min(sum, maxSteps), "call")}, ${bound}${besides}` },
	];
	if (rewrites.length > 0)
		lines.push({
			text: `up to ${rewrites.length} of them for the search queries of ${list(rewrites)}, where the input is a conversation`,
		});
	const [first = ""] = cycle ?? [];
	if (cycle !== undefined)
		lines.push({
			text: `nothing else ends the cycle ${[...cycle, first].join(" → ")}, and no call is deeper than maxDepth`,
			isWarning: true,
		});
	if (unlimitedCalls.length > 0)
		lines.push({ text: `calls without maxCalls: ${list(unlimitedCalls)}`, isWarning: true });
	return { title, lines };
}

function describeTaintPaths({ taintPaths }: AgentInspection): TextBlock[] {
	const shown = pickDistinct(taintPaths);
	if (shown.length === 0) return [];
	const sinks = [...new Set(taintPaths.flatMap((finding) => finding.sinks))];
	return [
		{
			title: "Untrusted text can lead to an effect without approval",
			lines: [
				...shown.flatMap(describeFinding),
				{
					text: "An effect is a call of a tool without approval. Other agents are listed under Approvals and not counted.",
				},
				{ text: `What to do: give ${list(sinks)} "approval": true, so that a person decides on each call.` },
			],
		},
	];
}

/** Keeps, of the findings about the same sources and sinks, the one with the shortest path, where it can be cut. */
function pickDistinct(findings: readonly TaintPath[]): TaintPath[] {
	const reported = new Set<string>();
	const byLength = [...findings].sort((a, b) => a.path.length - b.path.length);
	return byLength.filter(({ sources, sinks }) => {
		const names = [...sources.map((id) => `from ${id}`), ...sinks.map((id) => `to ${id}`)];
		const isNew = names.some((name) => !reported.has(name));
		for (const name of names) reported.add(name);
		return isNew;
	});
}

function describeFinding({ sources, sinks, path }: TaintPath): TextLine[] {
	const otherSources = sources.filter((id) => id !== path[0]);
	const otherSinks = sinks.filter((id) => id !== path.at(-1));
	const also = [
		...(otherSources.length === 0 ? [] : [`also from ${list(otherSources)}`]),
		...(otherSinks.length === 0 ? [] : [`also to ${list(otherSinks)}`]),
	];
	return [
		{ text: path.join(" → "), isWarning: true },
		...(also.length === 0 ? [] : [{ text: also.join("; "), isDetail: true }]),
	];
}

function describeApprovals({ nodes }: AgentGraph): TextBlock[] {
	const pick = (kind: string, needsApproval: boolean): string[] =>
		nodes.flatMap((node) =>
			node.kind === kind &&
			"tool agent remote".includes(kind) &&
			("approval" in node && node.approval === true) === needsApproval
				? [node.id]
				: [],
		);
	const withApproval = [...pick("tool", true), ...pick("remote", true)];
	const groups = [
		["a person is asked before each call of", withApproval],
		["tools that are called without asking:", pick("tool", false)],
		["other agents that are run without asking:", pick("remote", false)],
	] as const;
	const lines = groups.flatMap(([words, ids]) =>
		ids.length === 0 ? [] : [{ text: `${words} ${list(ids)}` }],
	);
	return lines.length === 0 ? [] : [{ title: "Approvals", lines }];
}

function describeLimits({ limits = {} }: AgentGraph): TextBlock {
	const { maxSteps, maxDepth, timeoutMs } = { ...DEFAULT_LIMITS, ...limits };
	const parts = [
		`${count(maxSteps, "step")} (maxSteps)`,
		`calls ${maxDepth} deep (maxDepth)`,
		`${timeoutMs.toLocaleString("en-US")} ms of running (timeoutMs)`,
		limits.maxTokens === undefined
			? "any number of tokens (maxTokens)"
			: `${count(limits.maxTokens, "token")} (maxTokens)`,
	];
	return {
		title: "Limits",
		lines: [{ text: parts.join(", ") }, { text: "the environment may set lower limits" }],
	};
}

const ENVIRONMENTS: readonly (readonly [RunEnvironment, string])[] = [
	["process", "in a process (createLocalAgent)"],
	["runtime", "in the self-hosted runtime"],
	["service", "in the service"],
];

function describeEnvironments({ environments }: AgentInspection): TextBlock {
	return {
		title: "Where it runs",
		lines: ENVIRONMENTS.flatMap(([environment, words]): TextLine[] => {
			const { supported, notes } = environments[environment];
			return [
				{ text: `${words}: ${supported ? "yes" : "no"}`, isWarning: !supported },
				...notes.map((text) => ({ text, isDetail: true })),
			];
		}),
	};
}
