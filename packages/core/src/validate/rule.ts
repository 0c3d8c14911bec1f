import type { AgentGraphIssueCode } from "../errors";
import type { GraphOutline } from "./graph-outline";

/** Looks for one kind of violation; takes time linear in nodes and edges. */
export type Rule = (outline: GraphOutline, report: Report) => void;

export type Report = (
	code: AgentGraphIssueCode,
	path: readonly (string | number)[],
	message: string,
) => unknown;
