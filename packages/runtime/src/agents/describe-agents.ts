import { formatPath } from "@stemma/core/errors";
import type { AgentEntry } from "./catalog";
import { isReady } from "./catalog";

/** The agents for a person: which are ready, and of each other file its first issue. */
export function describeAgents(entries: readonly AgentEntry[]): string {
	if (entries.length === 0) return "There are no agent files (.json) yet.";
	const ready = entries.filter(isReady).map(({ id }) => id);
	const troubled = entries.filter(({ issues }) => issues.length > 0).map(describeTrouble);
	return [`Ready: ${ready.length === 0 ? "none" : ready.join(", ")}.`, ...troubled].join(" ");
}

function describeTrouble(entry: AgentEntry): string {
	const [issue, ...more] = entry.issues;
	const state = isReady(entry) ? "runs as it was before" : "invalid";
	const path = issue === undefined || issue.path.length === 0 ? "" : `${formatPath(issue.path)}: `;
	const rest = more.length === 0 ? "" : ` (and ${more.length} more)`;
	return `${entry.file} ${state}: ${path}${issue?.message ?? ""}${rest}`;
}
