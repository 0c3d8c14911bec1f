import { formatPath } from "@stemma/core/errors";
import type { AgentEntry } from "./catalog";
import { isReady, isStale } from "./catalog";

/** A line is for a person; `GET /agents` lists all. */
const MAX_READY_SHOWN = 50;
const MAX_PROBLEMS_SHOWN = 10;

/** The agents for a person: which are ready, and of each file its first issue, else its first warning. */
export function describeAgents(entries: readonly AgentEntry[]): string {
	if (entries.length === 0) return "There are no agent files (.json) yet.";
	const ready = entries.filter(isReady).map(({ id }) => id);
	const list = ready.length === 0 ? "none" : listFirst(ready, MAX_READY_SHOWN);
	return [`Ready: ${list}.`, ...describeProblems(entries)].join(" ");
}

/** First issue, else first warning of each file, a sentence each; of many files some. */
export function describeProblems(entries: readonly AgentEntry[]): readonly string[] {
	const problematic = entries.filter(({ issues, warnings }) => issues.length + warnings.length > 0);
	const rest = problematic.length - MAX_PROBLEMS_SHOWN;
	return [
		...problematic.slice(0, MAX_PROBLEMS_SHOWN).map(describeProblem),
		...(rest > 0 ? [`${rest} more files have problems.`] : []),
	];
}

/** The first names of many, and how many more there are. */
export function listFirst(names: readonly string[], max: number): string {
	const more = names.length - max;
	return more > 0 ? `${names.slice(0, max).join(", ")} and ${more} more` : names.join(", ");
}

function describeProblem(entry: AgentEntry): string {
	const [issue, ...more] = [...entry.issues, ...entry.warnings];
	const path = issue === undefined || issue.path.length === 0 ? "" : `${formatPath(issue.path)}: `;
	const rest = more.length === 0 ? "" : ` (and ${more.length} more)`;
	return `${entry.file} ${describeState(entry)}: ${path}${issue?.message ?? ""}${rest}`;
}

function describeState(entry: AgentEntry): string {
	if (isStale(entry)) return "runs its previous version";
	if (!isReady(entry)) return "invalid";
	return entry.issues.length > 0 ? "runs, with an issue" : "runs, with a warning";
}
