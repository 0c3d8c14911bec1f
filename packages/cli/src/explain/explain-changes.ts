import type { Json } from "@stemma/core";
import {
	type AgentComparison,
	type AgentEdge,
	type AgentNode,
	type FieldChange,
	formatPath,
} from "@stemma/core";
import type { TextBlock, TextLine } from "./wrap-text";

/** Characters of a value that are shown; what differs is in the JSON of both graphs. */
const MAX_VALUE_CHARACTERS = 200;

/** Explains the differences of two graphs. Empty where they mean the same. */
export function explainChanges({ fields, nodes, edges, reordered }: AgentComparison): TextBlock[] {
	const blocks: TextBlock[] = [
		{ title: "Agent", lines: fields.map((field) => ({ text: describeField(field) })) },
		{
			title: "Nodes",
			lines: [
				...nodes.added.map((node) => ({ text: `+ ${describeNode(node)}` })),
				...nodes.removed.map((node) => ({ text: `- ${describeNode(node)}` })),
				...nodes.changed.flatMap(({ after, fields }) => withDetails(`~ ${after.id}`, fields)),
			],
		},
		{
			title: "Edges",
			lines: [
				...edges.added.map((edge) => ({ text: `+ ${describeEdge(edge)}` })),
				...edges.removed.map((edge) => ({ text: `- ${describeEdge(edge)}` })),
				...edges.changed.flatMap(({ after, fields }) => withDetails(`~ ${describeEdge(after)}`, fields)),
				...reordered.map((id) => ({ text: `~ the "then" edges of ${id} are tried in another order` })),
			],
		},
	];
	return blocks.filter(({ lines }) => lines.length > 0);
}

const withDetails = (text: string, fields: readonly FieldChange[]): TextLine[] => [
	{ text },
	...fields.map((field) => ({ text: describeField(field), isDetail: true })),
];

const describeNode = ({ id, kind }: AgentNode): string => `${id} (${kind})`;

const describeEdge = ({ from, to, mode = "call" }: AgentEdge): string => `${from} → ${to} (${mode})`;

function describeField({ path, before, after }: FieldChange): string {
	const name = formatPath([...path]);
	if (before === undefined) return `${name}: ${toText(after)}, was not set`;
	if (after === undefined) return `${name}: no longer set, was ${toText(before)}`;
	return `${name}: ${toText(before)} → ${toText(after)}`;
}

function toText(value: Json | undefined): string {
	const text = JSON.stringify(value) ?? "";
	return text.length > MAX_VALUE_CHARACTERS ? `${text.slice(0, MAX_VALUE_CHARACTERS)}…` : text;
}
