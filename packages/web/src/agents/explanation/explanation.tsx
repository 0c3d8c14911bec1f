import { visibleText } from "@stemma/client";
import { type AgentGraph, type AgentInspection, inspectAgent, type NodeReach } from "@stemma/core";
import { useMemo } from "react";
import { formatNumber } from "../../data/format";
import { AGENT_STRINGS } from "../../strings/agent-strings";
import { ModelPlan } from "./model-plan";
import { toResolveRequest } from "./to-resolve-request";

/** Names that are listed; of more, the first. */
const MAX_NAMES = 20;

interface ExplanationProps {
	readonly graph: AgentGraph;
	/** The draft has problems: this is about the last one that had none. */
	readonly isStale: boolean;
}

/** Explanation of a graph: what it can reach and cost, what to look out for, and which models it calls at whose expense. */
export function Explanation({ graph, isStale }: ExplanationProps) {
	const words = AGENT_STRINGS;
	const inspection = useMemo(() => inspectAgent(graph), [graph]);
	const request = useMemo(() => toResolveRequest(graph, inspection), [graph, inspection]);
	const coordinator = graph.nodes.find(({ kind }) => kind === "coordinator");
	const reach = coordinator && inspection.reach[coordinator.id];
	const { max, boundBy, rewrites = [] } = inspection.modelCalls;
	const bound = formatNumber(max + rewrites.length);
	return (
		<section className="panel" aria-label={words.explanation}>
			<h2>{words.explanation}</h2>
			{isStale && <p className="small">{words.explanationStale}</p>}
			<p>
				{words.reaches} {visibleText(describeReach(reach))}.{" "}
				{boundBy === "graph" ? words.bound(bound) : words.boundByLimit(bound)}
			</p>
			<Warnings inspection={inspection} />
			<h3>{words.plan}</h3>
			<ModelPlan
				request={request}
				bound={{ maxTokens: graph.limits?.maxTokens, maxCalls: max + rewrites.length }}
			/>
		</section>
	);
}

function describeReach(reach: NodeReach | undefined): string {
	const words = AGENT_STRINGS;
	const parts = (["knowledgeBases", "tools", "remotes"] as const).flatMap((kind) => {
		const names = reach?.[kind] ?? [];
		return names.length === 0 ? [] : [`${words.reachOf[kind]} ${list(names)}`];
	});
	return parts.length === 0 ? words.reachesNothing : parts.join("; ");
}

const list = (names: readonly string[]): string =>
	names.slice(0, MAX_NAMES).join(", ") + (names.length > MAX_NAMES ? "…" : "");

function Warnings({ inspection }: { readonly inspection: AgentInspection }) {
	const warnings = findWarnings(inspection);
	if (warnings.length === 0) return null;
	return (
		<ul className="warnings">
			{warnings.map((warning) => (
				<li key={warning} className="notice">
					{visibleText(warning)}
				</li>
			))}
		</ul>
	);
}

function findWarnings({
	modelCalls,
	unreachable,
	taintPaths,
	environments,
}: AgentInspection): readonly string[] {
	const words = AGENT_STRINGS;
	const { cycle = [], unlimitedCalls = [] } = modelCalls;
	const [first = ""] = cycle;
	const { supported, notes } = environments.service;
	return [
		...(supported ? [] : [`${words.notHere}: ${notes.join(" ")}`]),
		...(cycle.length > 0 ? [`${words.cycle}: ${[...cycle, first].join(" → ")}`] : []),
		...(unlimitedCalls.length > 0 ? [`${words.unlimited}: ${list(unlimitedCalls)}`] : []),
		...(unreachable.length > 0 ? [`${words.unreachable}: ${list(unreachable)}`] : []),
		...taintPaths.slice(0, MAX_NAMES).map(({ path }) => `${words.taint}: ${path.join(" → ")}`),
	];
}
