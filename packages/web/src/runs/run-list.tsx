import { type RunRecord, visibleText } from "@stemma/client";
import { useState } from "react";
import { useApp } from "../data/app-context";
import { formatTime } from "../data/format";
import { useStoredValue } from "../data/stored-value";
import { usePolling } from "../data/use-polling";
import { useResource } from "../data/use-resource";
import { EmptyState } from "../shell/empty-state";
import { ErrorNotice } from "../shell/error-notice";
import { toHref } from "../shell/route";
import { RUN_STRINGS } from "../strings/run-strings";
import { STRINGS } from "../strings/strings";
import { NO_FILTER, parseRunFilter, type RunFilter, toRunListOptions } from "./filter/run-filter";
import { RunFilters } from "./filter/run-filters";
import { formatDuration } from "./format-duration";
import { RunStatusBadge } from "./run-status-badge";

const PAGE_SIZE = 50;
const MAX_AGENTS = 100;
/** Interval at which runs that have not ended are looked at. */
const POLL_MS = 3_000;

/** Runs of the workspace, newest first, a page at a time. */
export function RunList() {
	const words = RUN_STRINGS;
	const { stemma } = useApp();
	const [filter, setFilter] = useStoredValue("stemma-run-filter", parseRunFilter);
	/** Cursors of the pages before this one, and its own. */
	const [cursors, setCursors] = useState<readonly string[]>([]);
	const after = cursors.at(-1);
	const agents = useResource("run agents", (signal) => stemma.agents.list({ limit: MAX_AGENTS }, { signal }));
	const list = useResource(`runs ${JSON.stringify(filter)} ${after}`, (signal) =>
		stemma.runs.list({ ...toRunListOptions(filter), limit: PAGE_SIZE, ...(after && { after }) }, { signal }),
	);
	const { value, reload } = list;
	const runs = value?.data ?? [];
	const goesOn = runs.some((run) => run.status === "running" || run.status === "paused");
	usePolling(list, goesOn, POLL_MS);
	const change = (next: RunFilter) => {
		setFilter(next);
		setCursors([]);
	};
	const next = value?.has_more ? value.next : null;
	return (
		<div className="page">
			<h1>{words.title}</h1>
			<p className="faint">{words.lead}</p>
			<RunFilters filter={filter} agents={agents.value?.data ?? []} onChange={change} />
			<ErrorNotice error={list.error ?? agents.error} onRetry={() => void reload()} />
			{value === undefined && list.isLoading && <p role="status">{STRINGS.app.loading}</p>}
			{value && runs.length === 0 && <NoRuns filter={filter} />}
			{runs.length > 0 && (
				<ul className="runs" aria-label={words.title}>
					{runs.map((run) => (
						<RunRow key={run.id} run={run} />
					))}
				</ul>
			)}
			<div className="row">
				{cursors.length > 0 && (
					<button type="button" onClick={() => setCursors(cursors.slice(0, -1))}>
						{words.newer}
					</button>
				)}
				{next !== null && (
					<button type="button" onClick={() => setCursors([...cursors, next])}>
						{words.older}
					</button>
				)}
			</div>
		</div>
	);
}

function NoRuns({ filter }: { readonly filter: RunFilter }) {
	const words = RUN_STRINGS;
	const isFiltered = JSON.stringify(filter) !== JSON.stringify(NO_FILTER);
	return (
		<EmptyState title={isFiltered ? words.noMatches : words.none}>
			<p>{isFiltered ? words.noMatchesHint : words.noneHint}</p>
		</EmptyState>
	);
}

/** Row of a run, which leads to its page. */
export function RunRow({ run }: { readonly run: RunRecord }) {
	const words = RUN_STRINGS;
	const { id, agent_slug, agent_version, status, created_at, ended_at } = run;
	return (
		<li>
			<a href={toHref("runs", id)}>
				<span className="row">
					<strong className="clip">{visibleText(agent_slug)}</strong>
					<RunStatusBadge status={status} />
				</span>
				<span className="small break">
					<time dateTime={created_at}>{formatTime(created_at)}</time>
					{ended_at !== null &&
						` · ${words.took(formatDuration(Date.parse(ended_at) - Date.parse(created_at)))}`}
					{` · ${words.version(String(agent_version))} · `}
					<code>{id}</code>
				</span>
			</a>
		</li>
	);
}
