import { visibleText } from "@stemma/client";
import type { EdgeMode } from "@stemma/core";
import { useId } from "react";
import { NodeIcon } from "../../shell/node-icon";
import { RUN_STRINGS } from "../../strings/run-strings";
import { type DrawnEdge, type DrawnNode, type GraphLayout, NODE_HEIGHT, NODE_WIDTH } from "./lay-out-graph";
import type { NodeState } from "./node-states";

interface GraphDrawingProps {
	readonly layout: GraphLayout;
	readonly states: ReadonlyMap<string, NodeState>;
	readonly label: string;
}

const EDGE_MODES: readonly EdgeMode[] = ["call", "handoff", "before", "then"];
const LABEL_HEIGHT = 16;
/** Width of a letter of a label, and room at its ends. */
const LETTER_WIDTH = 7;
const LABEL_PADDING = 10;
/** Letters of an id that fit into a node. */
const MAX_ID_LETTERS = 17;
const ICON_AT = { x: 12, y: 18 };
const TEXT_X = 36;

/** Drawing of a graph: icons and words tell kinds apart, dashes and labels the modes of edges. */
export function GraphDrawing({ layout: { width, height, nodes, edges }, states, label }: GraphDrawingProps) {
	const markerId = useId();
	return (
		<svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
			<defs>
				{EDGE_MODES.map((mode) => (
					<marker
						key={mode}
						id={`${markerId}${mode}`}
						viewBox="0 0 8 8"
						refX="7"
						refY="4"
						markerWidth="7"
						markerHeight="7"
						orient="auto-start-reverse"
					>
						<path className="graph-arrow" d="M0 0 8 4 0 8Z" />
					</marker>
				))}
			</defs>
			{edges.map((edge) => (
				<Edge key={`${edge.from} ${edge.to} ${edge.mode}`} edge={edge} markerId={`${markerId}${edge.mode}`} />
			))}
			{nodes.map((node) => (
				<Node key={node.id} node={node} state={states.get(node.id)} />
			))}
		</svg>
	);
}

function Edge({
	edge: { mode, points, x, y },
	markerId,
}: {
	readonly edge: DrawnEdge;
	readonly markerId: string;
}) {
	const [first, ...others] = points;
	if (first === undefined) return null;
	const width = mode.length * LETTER_WIDTH + LABEL_PADDING;
	const line = others.map((point) => `L${point.x} ${point.y}`).join("");
	return (
		<g className="graph-edge" data-mode={mode}>
			<path d={`M${first.x} ${first.y}${line}`} markerEnd={`url(#${markerId})`} />
			<rect x={x - width / 2} y={y - LABEL_HEIGHT / 2} width={width} height={LABEL_HEIGHT} rx="4" />
			<text x={x} y={y} dominantBaseline="central" textAnchor="middle">
				{mode}
			</text>
		</g>
	);
}

function Node({
	node: { id, kind, x, y },
	state,
}: {
	readonly node: DrawnNode;
	readonly state: NodeState | undefined;
}) {
	const words = RUN_STRINGS;
	const name = visibleText(id);
	return (
		<g
			className="graph-node"
			data-kind={kind}
			data-state={state}
			transform={`translate(${x - NODE_WIDTH / 2} ${y - NODE_HEIGHT / 2})`}
		>
			<title>{name}</title>
			<rect width={NODE_WIDTH} height={NODE_HEIGHT} rx="10" />
			<g transform={`translate(${ICON_AT.x} ${ICON_AT.y})`}>
				<NodeIcon kind={kind} />
			</g>
			<text className="graph-name" x={TEXT_X} y="22">
				{name.length > MAX_ID_LETTERS ? `${name.slice(0, MAX_ID_LETTERS)}…` : name}
			</text>
			<text className="graph-kind" x={TEXT_X} y="39">
				{words.kinds[kind]}
				{state !== undefined && `, ${words.spanStatuses[state]}`}
			</text>
		</g>
	);
}
