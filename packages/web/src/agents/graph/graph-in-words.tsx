import { visibleText } from "@stemma/client";
import type { AgentEdge, AgentGraph, AgentNode } from "@stemma/core";
import { formatNumber } from "../../data/format";
import { NodeIcon } from "../../shell/node-icon";
import { AGENT_STRINGS } from "../../strings/agent-strings";
import { RUN_STRINGS } from "../../strings/run-strings";
import type { NodeState } from "./node-states";

interface GraphInWordsProps {
	readonly graph: AgentGraph;
	readonly states: ReadonlyMap<string, NodeState>;
}

/** A graph as a list: each node with what it is, what it reaches, and its state in the run that is shown. */
export function GraphInWords({ graph: { nodes, edges = [] }, states }: GraphInWordsProps) {
	return (
		<ul className="graph-words">
			{nodes.map((node) => (
				<NodeInWords
					key={node.id}
					node={node}
					edges={edges.filter(({ from }) => from === node.id)}
					state={states.get(node.id)}
				/>
			))}
		</ul>
	);
}

interface NodeInWordsProps {
	readonly node: AgentNode;
	/** Edges from it. */
	readonly edges: readonly AgentEdge[];
	readonly state: NodeState | undefined;
}

function NodeInWords({ node, edges, state }: NodeInWordsProps) {
	const words = AGENT_STRINGS;
	const { id, kind, description } = node;
	return (
		<li>
			<p>
				<NodeIcon kind={kind} /> <strong>{visibleText(id)}</strong>{" "}
				<span className="small">
					{RUN_STRINGS.kinds[kind]}
					{"approval" in node && node.approval === true && `, ${words.approval}`}
					{state !== undefined && `, ${RUN_STRINGS.spanStatuses[state]}`}
				</span>
			</p>
			{description !== undefined && (
				<p className="small" dir="auto">
					{visibleText(description)}
				</p>
			)}
			{edges.length > 0 && (
				<ul>
					{edges.map((edge) => (
						<li key={`${edge.mode} ${edge.to}`}>{describeEdge(edge)}</li>
					))}
				</ul>
			)}
		</li>
	);
}

function describeEdge(edge: AgentEdge): string {
	const words = AGENT_STRINGS;
	const notes = [
		...("maxCalls" in edge && edge.maxCalls !== undefined ? [words.atMost(formatNumber(edge.maxCalls))] : []),
		...("when" in edge && edge.when !== undefined ? [words.when(toCondition(edge.when))] : []),
	];
	const text = `${words.modes[edge.mode ?? "call"]} ${edge.to}${notes.length > 0 ? ` (${notes.join(", ")})` : ""}`;
	return visibleText(text);
}

function toCondition({ path, ...test }: { readonly path: string }): string {
	const [[name, value] = []] = Object.entries(test);
	return [path === "" ? '""' : path, name, name === "exists" ? undefined : JSON.stringify(value)]
		.filter((part) => part !== undefined)
		.join(" ");
}
