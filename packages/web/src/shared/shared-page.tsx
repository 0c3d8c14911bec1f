import { createClient, runShares, type SharedRun, visibleText } from "@stemma/client";
import { useEffect, useMemo } from "react";
import { formatTime } from "../data/format";
import { useResource } from "../data/use-resource";
import { JsonBlock } from "../runs/json-block";
import { RunReceipt } from "../runs/run-receipt";
import { RunStatusBadge } from "../runs/run-status-badge";
import { Timeline } from "../runs/timeline/run-timeline";
import { ErrorNotice } from "../shell/error-notice";
import icon from "../shell/icon.svg";
import { RUN_STRINGS } from "../strings/run-strings";
import { SHARE_STRINGS } from "../strings/share-strings";
import { STRINGS } from "../strings/strings";
import { SharedOutput } from "./shared-output";
import { toSpans } from "./to-spans";
import "../runs/runs.css";

/** Page of a shared run: what was chosen of it, for whoever has the link. Nothing on it changes anything. */
export function SharedPage({ token }: { readonly token: string }) {
	const shares = useMemo(
		() => runShares(createClient({ session: true, baseUrl: globalThis.location.origin })),
		[],
	);
	const run = useResource(token, (signal) => shares.open(token, { signal }));
	useEffect(() => {
		document.title = `${SHARE_STRINGS.page} – ${STRINGS.app.name}`;
	}, []);
	return (
		<main className="page">
			<img src={icon} alt={STRINGS.app.name} width="32" height="32" />
			{run.isLoading && run.value === undefined && <p role="status">{STRINGS.app.loading}</p>}
			{run.error !== undefined && <h1>{SHARE_STRINGS.failed}</h1>}
			<ErrorNotice error={run.error} />
			{run.value && <SharedParts run={run.value} />}
		</main>
	);
}

function SharedParts({ run }: { readonly run: SharedRun }) {
	const words = SHARE_STRINGS;
	const { status, created_at, ended_at, expires_at, fields, input, steps, steps_truncated, receipt } = run;
	const end = Date.parse(ended_at ?? created_at);
	return (
		<>
			<div className="row">
				<h1 className="clip">{words.page}</h1>
				<RunStatusBadge status={status} />
			</div>
			<p className="small">{words.pageLead(formatTime(ended_at ?? created_at), formatTime(expires_at))}</p>
			{input !== undefined && (
				<section className="panel" aria-label={words.question}>
					<h2>{words.question}</h2>
					{typeof input === "string" ? (
						<p className="plain break" dir="auto">
							{visibleText(input)}
						</p>
					) : (
						<JsonBlock value={input} />
					)}
				</section>
			)}
			{fields.includes("output") && <SharedOutput run={run} />}
			{steps && <Timeline spans={toSpans(steps, end)} end={end} />}
			{steps_truncated === true && <p className="small">{words.truncated}</p>}
			{receipt && (
				<section className="panel" aria-label={RUN_STRINGS.receipt}>
					<h2>{RUN_STRINGS.receipt}</h2>
					<RunReceipt rows={receipt} />
				</section>
			)}
		</>
	);
}
