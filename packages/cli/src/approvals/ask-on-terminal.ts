import type { Approval } from "@stemma/core";
import type { AskForApproval, LocalApprovalAnswer } from "@stemma/local";
import type { LineReader } from "../terminal/line-reader";
import { describeCall } from "./describe-call";

/** Asks whoever sits at the terminal, one question after the other. Where the input ends, an approval stays open. */
export function askOnTerminal(openReader: () => LineReader): AskForApproval {
	let last: Promise<unknown> = Promise.resolve();
	return (approval, { signal }) => {
		const answer = last.then(() => (signal.aborted ? undefined : askOne(openReader(), approval)));
		last = answer.catch(() => undefined);
		return answer;
	};
}

async function askOne(reader: LineReader, approval: Approval): Promise<LocalApprovalAnswer> {
	const answer = await reader.read(`Approve ${describeCall(approval)}? [y/N] `);
	if (answer === undefined) return undefined;
	if (/^\s*y(es)?\s*$/i.test(answer)) return "approve";
	const reason = (await reader.read("Why not? The model is told (Enter for no reason): "))?.trim();
	return { decision: "deny", ...(reason ? { reason } : {}) };
}
