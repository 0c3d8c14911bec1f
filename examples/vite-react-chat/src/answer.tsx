import { type Citation, type ReceiptRow, visibleText } from "@stemma/client";
import type { UseRunResult } from "@stemma/react";

/** An answer as it is written, with all that belongs to it. */
export function LiveAnswer({ run }: { readonly run: UseRunResult }) {
	const isRunning = run.status === "running";
	return (
		<div className="answer" aria-live="polite" aria-busy={isRunning}>
			<AnswerText text={run.text} isRunning={isRunning} />
			<Sources citations={run.citations} />
			<Receipt rows={run.receipt} />
			{run.status === "cancelled" && <p className="note">Cancelled.</p>}
			{run.status === "paused" && <p className="note">Waiting for an approval.</p>}
			{run.error && (
				<p className="error" role="alert">
					{run.error.message} {run.error.hint}
				</p>
			)}
			{run.canReconnect && (
				<button type="button" onClick={run.reconnect}>
					Try again
				</button>
			)}
		</div>
	);
}

export function AnswerText({
	text,
	isRunning = false,
}: {
	readonly text: string;
	readonly isRunning?: boolean;
}) {
	if (text === "" && isRunning) return <p className="note">Looking it up…</p>;
	return <p className={isRunning ? "text writing" : "text"}>{visibleText(text)}</p>;
}

export function Sources({ citations }: { readonly citations: readonly Citation[] }) {
	if (citations.length === 0) return null;
	return (
		<ol className="sources" aria-label="Sources">
			{citations.map(({ n, title, place, text }) => (
				<li key={n} value={n}>
					<details>
						<summary>
							{visibleText(title)}
							{place.heading && ` › ${visibleText(place.heading)}`}
						</summary>
						<blockquote>{visibleText(text)}</blockquote>
					</details>
				</li>
			))}
		</ol>
	);
}

/** Client keys get none: a page with keys of another kind shows who pays. */
function Receipt({ rows }: { readonly rows: readonly ReceiptRow[] }) {
	if (rows.length === 0) return null;
	const tokens = rows.reduce((sum, row) => sum + row.input_tokens + row.output_tokens, 0);
	const payers = [...new Set(rows.map(({ payer }) => payer))].join(", ");
	return (
		<p className="note">
			{rows.length} model calls, {tokens} tokens, paid by: {payers}
		</p>
	);
}
