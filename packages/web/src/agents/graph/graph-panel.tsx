import type { AgentGraph } from "@stemma/core";
import { formatNumber } from "../../data/format";
import { AGENT_STRINGS } from "../../strings/agent-strings";
import { GraphDrawing } from "./graph-drawing";
import { GraphInWords } from "./graph-in-words";
import type { NodeState } from "./node-states";
import { isDrawable, useGraphLayout } from "./use-graph-layout";

interface GraphPanelProps {
	readonly graph: AgentGraph;
	/** States of the nodes in the run that is shown. */
	readonly states: ReadonlyMap<string, NodeState>;
}

/** A graph as a drawing, and as a list that says the same. */
export function GraphPanel({ graph, states }: GraphPanelProps) {
	const words = AGENT_STRINGS;
	const layout = useGraphLayout(graph);
	const { nodes, edges = [] } = graph;
	return (
		<section className="panel" aria-label={words.graph}>
			<h2>{words.graph}</h2>
			<p className="small">{isDrawable(graph) ? words.graphHint : words.graphTooLarge}</p>
			{isDrawable(graph) && (
				// biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard.
				<section className="graph" tabIndex={0} aria-label={words.drawing}>
					{layout && (
						<GraphDrawing
							layout={layout}
							states={states}
							label={words.graphLabel(formatNumber(nodes.length), formatNumber(edges.length))}
						/>
					)}
				</section>
			)}
			<details>
				<summary>{words.inWords}</summary>
				<GraphInWords graph={graph} states={states} />
			</details>
		</section>
	);
}
