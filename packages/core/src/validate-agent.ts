import type { AgentGraph } from "./agent-graph";
import { copyJson } from "./copy-json";
import { AgentGraphError, type AgentGraphIssue } from "./errors";
import { readGraphOutline } from "./graph-outline";
import { findRuleIssues } from "./graph-rules";
import { isJsonObject } from "./json";
import { findShapeIssues } from "./shape-issues";

/** What {@link validateAgent} found. */
export type AgentValidation =
	| {
			readonly success: true;
			/** A deeply frozen copy. */
			readonly graph: AgentGraph;
	  }
	| { readonly success: false; readonly error: AgentGraphError };

/**
 * Checks anything that claims to be an agent graph: `defineAgent` without the throw, for graphs that come as JSON.
 * Every violation is listed, in document order. Linear in nodes and edges; refuse bodies over 2 MB before parsing them.
 */
export function validateAgent(json: unknown): AgentValidation {
	const issues: AgentGraphIssue[] = [];
	const copy = copyJson(json, issues);
	// What could not be copied is missing from the copy; it is not reported a second time as missing.
	const unreadable = new Set(issues.map(({ path }) => JSON.stringify(path)));
	for (const issue of findShapeIssues(copy))
		if (unreadable.size === 0 || !unreadable.has(JSON.stringify(issue.path))) issues.push(issue);
	if (isJsonObject(copy)) issues.push(...findRuleIssues(readGraphOutline(copy)));
	if (issues.length > 0) return { success: false, error: toError(issues, copy) };
	// The issues are empty: the copy has the shape of a graph and keeps its rules.
	return { success: true, graph: copy as unknown as AgentGraph };
}

function toError(issues: readonly AgentGraphIssue[], graph: unknown): AgentGraphError {
	const name = isJsonObject(graph) && typeof graph.name === "string" ? graph.name : undefined;
	return new AgentGraphError(sortByPlace(issues), name);
}

const SECTIONS = ["nodes", "edges", "limits"];

/** Document order: what concerns the whole graph first, then nodes, edges and limits by index. */
function sortByPlace(issues: readonly AgentGraphIssue[]): AgentGraphIssue[] {
	const section = ({ path }: AgentGraphIssue): number => SECTIONS.indexOf(String(path[0]));
	const index = ({ path }: AgentGraphIssue): number => (typeof path[1] === "number" ? path[1] : -1);
	return [...issues].sort((a, b) => section(a) - section(b) || index(a) - index(b));
}
