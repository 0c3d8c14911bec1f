import { formatPath } from "@stemma/core/errors";
import type { AgentEntry } from "./catalog";
import { isReady, isStale } from "./catalog";

/** A line is for a person; `GET /agents` lists all. */
const SHOWN_READY = 50;
const SHOWN_TROUBLED = 10;

/** The agents for a person: which are ready, and of each file its first issue, else its first warning. */
export function describeAgents(entries: readonly AgentEntry[]): string {
	if (entries.length === 0) return "There are no agent files (.json) yet.";
	const ready = entries.filter(isReady).map(({ id }) => id);
	const list = ready.length === 0 ? "none" : listSome(ready, SHOWN_READY);
	return [`Ready: ${list}.`, ...describeTroubled(entries)].join(" ");
}

/** First issue, else first warning of each file, a sentence each; of many files some. */
export function describeTroubled(entries: readonly AgentEntry[]): readonly string[] {
	const troubled = entries.filter(({ issues, warnings }) => issues.length + warnings.length > 0);
	const rest = troubled.length - SHOWN_TROUBLED;
	return [
		...troubled.slice(0, SHOWN_TROUBLED).map(describeTrouble),
		...(rest > 0 ? [`${rest} more files are troubled.`] : []),
	];
}

/** The first names of many, and how many more there are. */
export function listSome(names: readonly string[], most: number): string {
	const more = names.length - most;
	return more > 0 ? `${names.slice(0, most).join(", ")} and ${more} more` : names.join(", ");
}

function describeTrouble(entry: AgentEntry): string {
	const [issue, ...more] = [...entry.issues, ...entry.warnings];
	const path = issue === undefined || issue.path.length === 0 ? "" : `${formatPath(issue.path)}: `;
	const rest = more.length === 0 ? "" : ` (and ${more.length} more)`;
	return `${entry.file} ${stateOf(entry)}: ${path}${issue?.message ?? ""}${rest}`;
}

function stateOf(entry: AgentEntry): string {
	if (isStale(entry)) return "runs as it was before";
	if (!isReady(entry)) return "invalid";
	return entry.issues.length > 0 ? "runs, with an issue" : "runs, with a warning";
}
