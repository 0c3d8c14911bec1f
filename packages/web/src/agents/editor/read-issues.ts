import type { AgentGraphIssue } from "@stemma/core";

/** Reads the issues of a graph from the details of an error of the service: those that only the service can find. */
export function readIssues(details: unknown): readonly Pick<AgentGraphIssue, "message" | "path">[] {
	const { issues } = Object(details);
	return Array.isArray(issues) ? issues.flatMap(readIssue) : [];
}

function readIssue(json: unknown): readonly Pick<AgentGraphIssue, "message" | "path">[] {
	const { message, path } = Object(json);
	if (typeof message !== "string" || !Array.isArray(path)) return [];
	return [{ message, path: path.filter((key) => typeof key === "string" || typeof key === "number") }];
}
