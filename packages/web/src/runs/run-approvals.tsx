import { visibleText } from "@stemma/client";
import type { Approval } from "@stemma/core";
import { type FormEvent, useId, useRef, useState } from "react";
import { useApp, useScope } from "../data/app-context";
import { formatTime } from "../data/format";
import { useAction } from "../data/use-action";
import { ErrorNotice } from "../shell/error-notice";
import { RUN_STRINGS } from "../strings/run-strings";
import { JsonBlock } from "./json-block";
import type { RunView } from "./run-view";

const MAX_REASON_CHARACTERS = 1_000;

interface RunApprovalsProps {
	readonly runId: string;
	readonly view: RunView;
}

/** Calls that a run waits for, with their exact arguments, to decide on. */
export function RunApprovals({ runId, view }: RunApprovalsProps) {
	const words = RUN_STRINGS;
	const mayDecide = useScope("runs:approve");
	if (view.status !== "paused") return null;
	const approvals = view.result?.approvals ?? [];
	return (
		<section className="panel approvals" aria-label={words.approvals}>
			<h2>{words.approvals}</h2>
			<p>{mayDecide ? words.approvalsText : words.approvalsTextViewer}</p>
			{approvals.map((approval) => (
				<ApprovalForm key={approval.id} runId={runId} approval={approval} mayDecide={mayDecide} />
			))}
		</section>
	);
}

interface ApprovalFormProps {
	readonly runId: string;
	readonly approval: Approval;
	readonly mayDecide: boolean;
}

function ApprovalForm({ runId, approval, mayDecide }: ApprovalFormProps) {
	const words = RUN_STRINGS;
	const { stemma } = useApp();
	const reason = useRef<HTMLTextAreaElement>(null);
	const reasonId = useId();
	const [isDecided, setDecided] = useState(false);
	const decide = useAction(async (decision: "approve" | "deny") => {
		const text = reason.current?.value.trim() ?? "";
		await stemma.runs.decide(runId, approval.id, {
			decision,
			...(decision === "deny" && text !== "" && { reason: text }),
		});
		setDecided(true);
	});
	const onSubmit = (event: FormEvent) => event.preventDefault();
	return (
		<form onSubmit={onSubmit}>
			<h3>
				{words.approvalOf(visibleText(approval.tool))}{" "}
				<span className="small">{words.approvalNode(visibleText(approval.node))}</span>
			</h3>
			<JsonBlock value={approval.arguments} isWhole />
			<p className="small">{words.expires(formatTime(approval.expires_at))}</p>
			{isDecided && <p role="status">{words.decided}</p>}
			{mayDecide && !isDecided && (
				<>
					<div className="field">
						<label htmlFor={reasonId}>{words.reason}</label>
						<textarea ref={reason} id={reasonId} rows={2} maxLength={MAX_REASON_CHARACTERS} />
					</div>
					<div className="row">
						<button
							type="button"
							className="primary"
							disabled={decide.isRunning}
							onClick={() => void decide.run("approve")}
						>
							{words.approve}
						</button>
						<button
							type="button"
							className="danger"
							disabled={decide.isRunning}
							onClick={() => void decide.run("deny")}
						>
							{words.deny}
						</button>
					</div>
				</>
			)}
			<ErrorNotice error={decide.error} />
		</form>
	);
}
