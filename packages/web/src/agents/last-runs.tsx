import { useEffect } from "react";
import { useApp } from "../data/app-context";
import { useResource } from "../data/use-resource";
import { RunRow } from "../runs/run-list";
import { ErrorNotice } from "../shell/error-notice";
import { AGENT_STRINGS } from "../strings/agent-strings";

const RUNS_SHOWN = 5;

interface LastRunsProps {
	readonly agentId: string;
	/** Run that was started here, and its state: the list is read again for each other one. */
	readonly runId: string | undefined;
	readonly status: string;
}

/** Last runs of an agent. Nothing where there are none. */
export function LastRuns({ agentId, runId, status }: LastRunsProps) {
	const words = AGENT_STRINGS;
	const { stemma } = useApp();
	const list = useResource(`last runs ${agentId}`, (signal) =>
		stemma.runs.list({ agent_id: agentId, limit: RUNS_SHOWN }, { signal }),
	);
	const { reload, value } = list;
	// biome-ignore lint/correctness/useExhaustiveDependencies: again for each run and state.
	useEffect(() => void reload(), [runId, status, reload]);
	if (list.error !== undefined) return <ErrorNotice error={list.error} onRetry={() => void reload()} />;
	if (value === undefined || value.data.length === 0) return null;
	return (
		<section className="panel" aria-label={words.lastRuns}>
			<h2>{words.lastRuns}</h2>
			<ul className="runs">
				{value.data.map((run) => (
					<RunRow key={run.id} run={run} />
				))}
			</ul>
		</section>
	);
}
