import { type RunRecord, type StoredAgentSummary, visibleText } from "@stemma/client";
import { useState } from "react";
import { useApp, useScope } from "../data/app-context";
import { formatNumber, formatTime } from "../data/format";
import { useResource } from "../data/use-resource";
import { RunStatusBadge } from "../runs/run-status-badge";
import { EmptyState } from "../shell/empty-state";
import { ErrorNotice } from "../shell/error-notice";
import { toHref } from "../shell/route";
import { AGENT_STRINGS } from "../strings/agent-strings";
import { RUN_STRINGS } from "../strings/run-strings";
import { STRINGS } from "../strings/strings";
import { NewAgentForm } from "./new-agent-form";

const PAGE_SIZE = 100;
/** Newest runs in which the last one of each agent is looked for. */
const RUNS_READ = 100;

/** Agents of the workspace, each with its last run. */
export function AgentList() {
	const words = AGENT_STRINGS;
	const { stemma } = useApp();
	const mayWrite = useScope("agents:write");
	const [pages, setPages] = useState(1);
	const list = useResource(`agents ${pages}`, async (signal) => {
		const [read, runs] = await Promise.all([
			readAgents(
				(after) => stemma.agents.list({ limit: PAGE_SIZE, ...(after && { after }) }, { signal }),
				pages,
			),
			stemma.runs.list({ limit: RUNS_READ }, { signal }),
		]);
		return { ...read, lastRuns: findLastRuns(runs.data) };
	});
	const { value } = list;
	return (
		<div className="page">
			<h1>{words.title}</h1>
			<p className="faint">{words.lead}</p>
			<ErrorNotice error={list.error} onRetry={() => void list.reload()} />
			{value === undefined && list.isLoading && <p role="status">{STRINGS.app.loading}</p>}
			{value?.agents.length === 0 && (
				<EmptyState title={words.none}>
					<p>{mayWrite ? words.noneHint : words.noneHintViewer}</p>
				</EmptyState>
			)}
			<ul className="cards">
				{value?.agents.map((agent) => (
					<li key={agent.id}>
						<AgentCard agent={agent} lastRun={value.lastRuns.get(agent.id)} />
					</li>
				))}
			</ul>
			{value?.hasMore && (
				<button type="button" onClick={() => setPages(pages + 1)}>
					{STRINGS.app.more}
				</button>
			)}
			{mayWrite && value && <NewAgentForm />}
		</div>
	);
}

/** Page of a list, as `PaginatedList` gives it. */
interface AgentPage {
	readonly data: readonly StoredAgentSummary[];
	readonly has_more: boolean;
	readonly next: string | null;
}

async function readAgents(read: (after: string | undefined) => PromiseLike<AgentPage>, count: number) {
	let page = await read(undefined);
	const agents = [...page.data];
	for (let done = 1; done < count && page.next !== null; done += 1) {
		page = await read(page.next);
		agents.push(...page.data);
	}
	return { agents, hasMore: page.has_more };
}

/** Runs come newest first. */
function findLastRuns(runs: readonly RunRecord[]): ReadonlyMap<string, RunRecord> {
	return new Map(runs.toReversed().map((run) => [run.agent_id, run]));
}

interface AgentCardProps {
	readonly agent: StoredAgentSummary;
	readonly lastRun: RunRecord | undefined;
}

function AgentCard({ agent: { id, slug, name, description, version }, lastRun }: AgentCardProps) {
	const words = AGENT_STRINGS;
	return (
		<a className="card" href={toHref("agents", id)}>
			<strong dir="auto">{visibleText(name ?? slug)}</strong>
			<span className="small">
				<code>{slug}</code> · {RUN_STRINGS.version(formatNumber(version))}
			</span>
			{description !== null && <span dir="auto">{visibleText(description)}</span>}
			{lastRun && (
				<span className="small">
					{words.lastRun(formatTime(lastRun.created_at))} <RunStatusBadge status={lastRun.status} />
				</span>
			)}
		</a>
	);
}
