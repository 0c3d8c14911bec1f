import type { Citation } from "@stemma/client";
import { CancelRun } from "../../runs/cancel-run";
import { RunApprovals } from "../../runs/run-approvals";
import { RunErrorNotice } from "../../runs/run-error-notice";
import { RunOutput } from "../../runs/run-output";
import { RunReceipt } from "../../runs/run-receipt";
import { RunStatusBadge } from "../../runs/run-status-badge";
import { RunTimeline } from "../../runs/timeline/run-timeline";
import type { FollowedRun } from "../../runs/use-followed-run";
import { ErrorNotice } from "../../shell/error-notice";
import { toHref } from "../../shell/route";
import { AGENT_STRINGS } from "../../strings/agent-strings";
import { RUN_STRINGS } from "../../strings/run-strings";

interface AgentRunProps {
	readonly runId: string;
	readonly run: FollowedRun;
	readonly onSource: (citation: Citation) => void;
}

/** The run that was started from the page of its agent, as it goes on. */
export function AgentRun({ runId, run: { view, error, retry }, onSource }: AgentRunProps) {
	const words = RUN_STRINGS;
	const { status, result } = view;
	return (
		<>
			<div className="row">
				<RunStatusBadge status={status} />
				<a href={toHref("runs", runId)}>{AGENT_STRINGS.openRun}</a>
				{(status === "running" || status === "paused") && <CancelRun runId={runId} />}
			</div>
			<ErrorNotice error={error} onRetry={retry} />
			<RunApprovals runId={runId} view={view} />
			{result?.error && <RunErrorNotice error={result.error} title={words.failedTitle} />}
			<RunOutput view={view} onSource={onSource} />
			<RunTimeline view={view} />
			<section className="panel" aria-label={words.receipt}>
				<h2>{words.receipt}</h2>
				<RunReceipt rows={result?.receipt ?? []} />
			</section>
		</>
	);
}
