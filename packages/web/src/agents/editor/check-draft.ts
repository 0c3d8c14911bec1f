import { type AgentGraph, type AgentGraphIssue, formatPath, validateAgent } from "@stemma/core";
import { findNodeAtLocation, type Node, type ParseError, parseTree } from "jsonc-parser";
import { AGENT_STRINGS } from "../../strings/agent-strings";

/** Problem of a draft at its place. Offsets are UTF-16 code units into the text. */
export interface DraftIssue {
	readonly message: string;
	/** Place in words: a path such as `edges[3].to`, or a line. */
	readonly place: string;
	readonly from: number;
	readonly to: number;
}

/** Graph as text that somebody edits, checked. */
export interface CheckedDraft {
	/** The graph, where it is valid. */
	readonly graph: AgentGraph | undefined;
	/** All problems, in the order of the text. */
	readonly issues: readonly DraftIssue[];
}

/** Checks a draft: that it is JSON, and all rules of graphs at once. */
export function checkDraft(text: string): CheckedDraft {
	const errors: ParseError[] = [];
	const root = parseTree(text, errors, { disallowComments: true, allowEmptyContent: false });
	if (errors.length > 0 || root === undefined) return { graph: undefined, issues: toJsonIssue(text, errors) };
	const validation = validateAgent(JSON.parse(text));
	if (validation.success) return { graph: validation.graph, issues: [] };
	return { graph: undefined, issues: toDraftIssues(root, validation.error.issues) };
}

/** Issue as the service reports it. */
type GraphIssue = Pick<AgentGraphIssue, "message" | "path">;

/** Places issues of a graph in its text; none where the text is not JSON. */
export function placeIssues(text: string, issues: readonly GraphIssue[]): readonly DraftIssue[] {
	const root = parseTree(text);
	return root === undefined ? [] : toDraftIssues(root, issues);
}

const toDraftIssues = (root: Node, issues: readonly GraphIssue[]): readonly DraftIssue[] =>
	issues.map(({ message, path }) => ({ message, place: formatPath(path), ...findRange(root, path) }));

function toJsonIssue(text: string, errors: readonly ParseError[]): readonly DraftIssue[] {
	// Those after it follow from it.
	const { offset, length } = errors[0] ?? { offset: 0, length: 0 };
	const message = AGENT_STRINGS.jsonInvalid;
	return [{ message, place: toLinePlace(text, offset), from: offset, to: offset + length }];
}

function toLinePlace(text: string, offset: number): string {
	const lines = text.slice(0, offset).split("\n");
	return AGENT_STRINGS.line(lines.length, (lines.at(-1)?.length ?? 0) + 1);
}

/** Finds the place of a path; of what is missing, the place of what it is missing from. */
function findRange(root: Node, path: readonly (string | number)[]): Pick<DraftIssue, "from" | "to"> {
	const node = findNodeAtLocation(root, [...path]);
	if (node === undefined) return path.length === 0 ? { from: 0, to: 0 } : findRange(root, path.slice(0, -1));
	const isContainer = node.type === "object" || node.type === "array";
	return { from: node.offset, to: node.offset + (isContainer ? 1 : node.length) };
}
