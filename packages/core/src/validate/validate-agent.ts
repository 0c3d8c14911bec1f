import { AgentGraphError, type AgentGraphIssue } from "../errors";
import type { AgentGraph } from "../graph/agent-graph";
import { copyJson } from "../internal/copy-json";
import { isJsonObject } from "../json";
import { toDocumentOrder } from "./document-order";
import { readGraphOutline } from "./graph-outline";
import type { Report } from "./rule";
import { findRuleIssues } from "./rule-issues";
import { findShapeIssues } from "./shape-issues";

/** Result of {@link validateAgent}. */
export type AgentValidation =
	| {
			readonly success: true;
			/** A deeply frozen copy; of what was found valid before, the very same. */
			readonly graph: AgentGraph;
	  }
	| { readonly success: false; readonly error: AgentGraphError };

/** Graphs that were found valid. They are frozen, so they stay valid. */
const validGraphs = new WeakMap<object, AgentGraph>();

/**
 * Checks anything that claims to be an agent graph: `defineAgent` without the throw, for graphs that come as JSON.
 * Every violation is listed, in document order. Linear in nodes and edges; refuse bodies over 2 MB before parsing them.
 */
export function validateAgent(json: unknown): AgentValidation {
	const known = isJsonObject(json) ? validGraphs.get(json) : undefined;
	if (known !== undefined) return { success: true, graph: known };
	const issues: AgentGraphIssue[] = [];
	const copy = copyJson(json, issues);
	if (copy !== undefined && isAgentGraph(copy, issues)) {
		validGraphs.set(copy, copy);
		return { success: true, graph: copy };
	}
	const root = isJsonObject(copy) ? copy : {};
	const name = typeof root.name === "string" ? root.name : undefined;
	return { success: false, error: new AgentGraphError(toDocumentOrder(issues, root), name) };
}

/** Checks that a copy without issues has the shape of a graph and keeps its rules; adds an issue for each that it breaks. */
function isAgentGraph(copy: unknown, issues: AgentGraphIssue[]): copy is AgentGraph {
	const report: Report = (code, path, message) => issues.push({ code, message, path });
	// What could not be copied is missing from the copy; it is not reported a second time as missing.
	const unreadable = new Set(issues.map(({ path }) => JSON.stringify(path)));
	findShapeIssues(
		copy,
		unreadable.size === 0
			? report
			: (code, path, message) => unreadable.has(JSON.stringify(path)) || report(code, path, message),
	);
	if (isJsonObject(copy)) findRuleIssues(readGraphOutline(copy), report);
	return issues.length === 0;
}
