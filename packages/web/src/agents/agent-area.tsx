import { type Citation, type StoredAgent, visibleText } from "@stemma/client";
import { lazy, Suspense, useDeferredValue, useMemo, useRef, useState } from "react";
import { useApp, useScope } from "../data/app-context";
import { formatNumber, formatTime } from "../data/format";
import { useResource } from "../data/use-resource";
import { DocumentViewer } from "../documents/document-viewer";
import { useFollowedRun } from "../runs/use-followed-run";
import { ErrorNotice } from "../shell/error-notice";
import { toHref } from "../shell/route";
import { AGENT_STRINGS } from "../strings/agent-strings";
import { RUN_STRINGS } from "../strings/run-strings";
import { STRINGS } from "../strings/strings";
import { DeleteAgent } from "./delete-agent";
import { checkDraft } from "./editor/check-draft";
import { useAgentDraft } from "./editor/use-agent-draft";
import { Explanation } from "./explanation/explanation";
import { GraphPanel } from "./graph/graph-panel";
import { findNodeStates } from "./graph/node-states";
import { LastRuns } from "./last-runs";
import { AgentRun } from "./run/agent-run";
import { RunForm } from "./run/run-form";

const AgentEditor = lazy(async () => ({ default: (await import("./editor/agent-editor")).AgentEditor }));

interface AgentAreaProps {
	readonly id: string;
	readonly runId: string | undefined;
}

/** Page of one agent: its graph, a run of it, and its JSON beside what that means. */
export function AgentArea({ id, runId }: AgentAreaProps) {
	const words = AGENT_STRINGS;
	const { stemma } = useApp();
	const agent = useResource<StoredAgent>(`agent ${id}`, (signal) => stemma.agents.get(id, { signal }));
	const [source, setSource] = useState<Citation>();
	return (
		<div className="split" data-source={source !== undefined}>
			<div className="page agent">
				<a href={toHref("agents")}>← {words.back}</a>
				<ErrorNotice error={agent.error} onRetry={() => void agent.reload()} />
				{agent.value === undefined && agent.isLoading && <p role="status">{STRINGS.app.loading}</p>}
				{agent.value && (
					<AgentParts agent={agent.value} runId={runId} onChanged={agent.replace} onSource={setSource} />
				)}
			</div>
			{source && (
				<DocumentViewer
					key={`${source.document_id} ${source.passage_id}`}
					documentId={source.document_id}
					citation={source}
					onClose={() => setSource(undefined)}
				/>
			)}
		</div>
	);
}

interface AgentPartsProps {
	readonly agent: StoredAgent;
	readonly runId: string | undefined;
	readonly onChanged: (agent: StoredAgent) => void;
	readonly onSource: (citation: Citation) => void;
}

function AgentParts({ agent, runId, onChanged, onSource }: AgentPartsProps) {
	const mayWrite = useScope("agents:write");
	const run = useFollowedRun(runId);
	const draft = useAgentDraft(agent);
	const text = useDeferredValue(draft.text);
	const checked = useMemo(() => checkDraft(text), [text]);
	const lastValid = useRef(agent.graph);
	if (checked.graph !== undefined) lastValid.current = checked.graph;
	const graph = mayWrite ? lastValid.current : agent.graph;
	const states = useMemo(() => findNodeStates(run.view.spans.values()), [run.view.spans]);
	return (
		<>
			<Title agent={agent} mayWrite={mayWrite} />
			<GraphPanel graph={graph} states={states} />
			<RunForm agent={agent} hasRun={runId !== undefined} />
			{runId !== undefined && <AgentRun runId={runId} run={run} onSource={onSource} />}
			<div className="beside">
				{mayWrite && (
					<Suspense fallback={<p className="panel">{STRINGS.app.loading}</p>}>
						<AgentEditor agent={agent} draft={draft} checked={checked} onSaved={onChanged} />
					</Suspense>
				)}
				<Explanation graph={graph} isStale={mayWrite && checked.graph === undefined} />
			</div>
			<LastRuns agentId={agent.id} runId={runId} status={run.view.status} />
			{mayWrite && <DeleteAgent agent={agent} />}
		</>
	);
}

interface TitleProps {
	readonly agent: StoredAgent;
	readonly mayWrite: boolean;
}

function Title({ agent, mayWrite }: TitleProps) {
	const { id, slug, name, description, version, updated_at } = agent;
	return (
		<>
			<h1 dir="auto">{visibleText(name ?? slug)}</h1>
			<p className="small break">
				<code>{slug}</code> · {RUN_STRINGS.version(formatNumber(version))} ·{" "}
				{AGENT_STRINGS.changed(formatTime(updated_at))}
				{mayWrite && (
					<>
						{" "}
						· <a href={toHref("agents", id, "versions")}>{AGENT_STRINGS.versions.title}</a>
					</>
				)}
			</p>
			{description !== null && <p dir="auto">{visibleText(description)}</p>}
		</>
	);
}
