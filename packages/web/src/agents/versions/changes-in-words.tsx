import { toExactJson, visibleText } from "@stemma/client";
import {
	type AgentComparison,
	type AgentEdge,
	type AgentNode,
	type FieldChange,
	formatPath,
	type Json,
	type PartChanges,
} from "@stemma/core";
import type { ReactNode } from "react";
import { NodeIcon } from "../../shell/node-icon";
import { AGENT_STRINGS } from "../../strings/agent-strings";
import { RUN_STRINGS } from "../../strings/run-strings";

/** Longer values are cut: the lines of JSON have all of them. In UTF-16 code units. */
const MAX_SHOWN = 300;

/** Differences of two graphs as lists: added, removed and changed nodes and edges. */
export function ChangesInWords({ comparison }: { readonly comparison: AgentComparison }) {
	const words = AGENT_STRINGS.versions;
	const { fields, nodes, edges, reordered } = comparison;
	const isEmpty = fields.length + reordered.length + countOf(nodes) + countOf(edges) === 0;
	if (isEmpty) return <p>{words.none}</p>;
	return (
		<div className="changes">
			{fields.length > 0 && (
				<>
					<h3>{words.agent}</h3>
					<FieldList fields={fields} />
				</>
			)}
			<PartList title={words.nodes} changes={nodes} toKey={({ id }) => id} toName={toNodeName} />
			<PartList title={words.edges} changes={edges} toKey={toEdgeText} toName={toEdgeText} />
			{reordered.map((id) => (
				<p key={id}>{words.reordered(visibleText(id))}</p>
			))}
		</div>
	);
}

const countOf = <Part,>({ added, removed, changed }: PartChanges<Part>): number =>
	added.length + removed.length + changed.length;

function toNodeName({ id, kind }: AgentNode): ReactNode {
	return (
		<>
			<NodeIcon kind={kind} /> <strong>{visibleText(id)}</strong>{" "}
			<span className="small">{RUN_STRINGS.kinds[kind]}</span>
		</>
	);
}

const toEdgeText = ({ from, to, mode = "call" }: AgentEdge): string =>
	visibleText(`${from} ${AGENT_STRINGS.modes[mode]} ${to}`);

interface PartListProps<Part> {
	readonly title: string;
	readonly changes: PartChanges<Part>;
	readonly toKey: (part: Part) => string;
	readonly toName: (part: Part) => ReactNode;
}

function PartList<Part>({ title, changes, toKey, toName }: PartListProps<Part>) {
	const words = AGENT_STRINGS.versions;
	if (countOf(changes) === 0) return null;
	const { added, removed, changed } = changes;
	return (
		<>
			<h3>{title}</h3>
			<ul className="graph-words">
				{added.map((part, index) => (
					// biome-ignore lint/suspicious/noArrayIndexKey: two edges may be the same.
					<li key={`added ${index} ${toKey(part)}`}>
						{words.added}: {toName(part)}
					</li>
				))}
				{removed.map((part, index) => (
					// biome-ignore lint/suspicious/noArrayIndexKey: two edges may be the same.
					<li key={`removed ${index} ${toKey(part)}`}>
						{words.removed}: {toName(part)}
					</li>
				))}
				{changed.map(({ after, fields }, index) => (
					// biome-ignore lint/suspicious/noArrayIndexKey: two edges may be the same.
					<li key={`changed ${index} ${toKey(after)}`}>
						{words.changed}: {toName(after)}
						<FieldList fields={fields} />
					</li>
				))}
			</ul>
		</>
	);
}

function FieldList({ fields }: { readonly fields: readonly FieldChange[] }) {
	const words = AGENT_STRINGS.versions;
	return (
		<ul>
			{fields.map(({ path, before, after }) => (
				<li key={path.join("/")} dir="auto">
					<code>{visibleText(formatPath([...path]))}</code>:{" "}
					{before === undefined ? words.wasUnset : <del>{toShown(before)}</del>} →{" "}
					{after === undefined ? words.nowUnset : <ins>{toShown(after)}</ins>}
				</li>
			))}
		</ul>
	);
}

function toShown(value: Json): string {
	const text = typeof value === "string" ? value : toExactJson(value);
	return visibleText(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);
}
