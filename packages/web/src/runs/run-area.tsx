import { type Citation, type RunRecord, visibleText, type WithRequestId } from "@stemma/client";
import { useState } from "react";
import { useApp, useScope } from "../data/app-context";
import { formatTime } from "../data/format";
import { useResource } from "../data/use-resource";
import { DocumentViewer } from "../documents/document-viewer";
import { ErrorNotice } from "../shell/error-notice";
import { toHref } from "../shell/route";
import { RUN_STRINGS } from "../strings/run-strings";
import { STRINGS } from "../strings/strings";
import { CancelRun } from "./cancel-run";
import { JsonBlock } from "./json-block";
import { RunApprovals } from "./run-approvals";
import { RunErrorNotice } from "./run-error-notice";
import { RunEvents } from "./run-events";
import { RunOutput } from "./run-output";
import { RunReceipt } from "./run-receipt";
import { RunStatusBadge } from "./run-status-badge";
import { ShareRun } from "./shares/share-run";
import { RunTimeline } from "./timeline/run-timeline";
import { useFollowedRun } from "./use-followed-run";

/** Page of one run, as it goes on. */
export function RunArea({ id }: { readonly id: string }) {
	const words = RUN_STRINGS;
	const { stemma } = useApp();
	const record = useResource(`run ${id}`, (signal) => stemma.runs.get(id, { signal }));
	const [source, setSource] = useState<Citation>();
	return (
		<div className="split" data-source={source !== undefined}>
			<div className="page">
				<a href={toHref("runs")}>← {words.back}</a>
				<ErrorNotice error={record.error} onRetry={() => void record.reload()} />
				{record.value === undefined && record.isLoading && <p role="status">{STRINGS.app.loading}</p>}
				{record.value && <RunParts record={record.value} onSource={setSource} />}
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

interface RunPartsProps {
	readonly record: WithRequestId<RunRecord>;
	readonly onSource: (citation: Citation) => void;
}

function RunParts({ record, onSource }: RunPartsProps) {
	const words = RUN_STRINGS;
	const { view, error, retry } = useFollowedRun(record.id);
	const { input, context } = record;
	const mayCompare = useScope("agents:write");
	// What the events say is newer than the record.
	const status = view.events.length > 0 ? view.status : record.status;
	const { result } = view;
	return (
		<>
			<div className="row">
				<h1 className="clip">{visibleText(record.agent_slug)}</h1>
				<RunStatusBadge status={status} />
				{status === "running" || status === "paused" ? (
					<CancelRun runId={record.id} />
				) : (
					<ShareRun runId={record.id} />
				)}
			</div>
			<p className="small break">
				{words.started(formatTime(record.created_at))} ·{" "}
				<a href={toHref("agents", record.agent_id)}>{words.toAgent}</a> ·{" "}
				{mayCompare ? (
					<a href={toHref("agents", record.agent_id, "versions", String(record.agent_version))}>
						{words.version(String(record.agent_version))}
					</a>
				) : (
					words.version(String(record.agent_version))
				)}{" "}
				· <code>{record.id}</code>
			</p>
			<ErrorNotice error={error} onRetry={retry} />
			<RunApprovals runId={record.id} view={view} />
			{result?.error && <RunErrorNotice error={result.error} title={words.failedTitle} />}
			<RunOutput view={view} onSource={onSource} />
			{input !== undefined && (
				<section className="panel" aria-label={words.input}>
					<h2>{words.input}</h2>
					<JsonBlock value={input} />
					{context !== undefined && Object.keys(context).length > 0 && (
						<>
							<h3>{words.context}</h3>
							<JsonBlock value={context} />
						</>
					)}
				</section>
			)}
			<RunTimeline view={view} />
			<section className="panel" aria-label={words.receipt}>
				<h2>{words.receipt}</h2>
				<RunReceipt rows={result?.receipt ?? []} />
			</section>
			<RunEvents events={view.events} />
		</>
	);
}
