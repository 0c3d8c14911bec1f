import { formatPath } from "@stemma/core/errors";
import type { AgentEntry } from "./catalog";
import { isReady } from "./catalog";

/** A line is for a person; `GET /agents` lists all. */
const SHOWN_READY = 50;
const SHOWN_TROUBLED = 10;

/** The agents for a person: which are ready, and of each other file its first issue. */
export function describeAgents(entries: readonly AgentEntry[]): string {
	if (entries.length === 0) return "There are no agent files (.json) yet.";
	const ready = entries.filter(isReady).map(({ id }) => id);
	const troubled = entries.filter(({ issues }) => issues.length > 0);
	const rest = troubled.length - SHOWN_TROUBLED;
	return [
		`Ready: ${ready.length === 0 ? "none" : listSome(ready, SHOWN_READY)}.`,
		...troubled.slice(0, SHOWN_TROUBLED).map(describeTrouble),
		...(rest > 0 ? [`${rest} more files are troubled.`] : []),
	].join(" ");
}

/** The first names of many, and how many more there are. */
export function listSome(names: readonly string[], most: number): string {
	const more = names.length - most;
	return more > 0 ? `${names.slice(0, most).join(", ")} and ${more} more` : names.join(", ");
}

function describeTrouble(entry: AgentEntry): string {
	const [issue, ...more] = entry.issues;
	const state = isReady(entry) ? "runs as it was before" : "invalid";
	const path = issue === undefined || issue.path.length === 0 ? "" : `${formatPath(issue.path)}: `;
	const rest = more.length === 0 ? "" : ` (and ${more.length} more)`;
	return `${entry.file} ${state}: ${path}${issue?.message ?? ""}${rest}`;
}
