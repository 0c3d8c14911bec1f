import type { Approval } from "@stemma/core";
import type { AskForApproval, LocalApprovalAnswer } from "@stemma/local";
import { columnsOf } from "../terminal/fit-pieces";
import type { LineReader } from "../terminal/line-reader";
import type { Terminal } from "../terminal/terminal";
import { describeCall } from "./describe-call";

/** Asks whoever sits at the terminal, one question after the other. Where the input ends, an approval stays open. */
export function askOnTerminal(
	{ stderr }: Pick<Terminal, "stderr">,
	openReader: () => LineReader,
): AskForApproval {
	let last: Promise<unknown> = Promise.resolve();
	return (approval, { signal }) => {
		const answer = last.then(() =>
			signal.aborted ? undefined : askOne(openReader(), approval, () => columnsOf(stderr)),
		);
		last = answer.catch(() => undefined);
		return answer;
	};
}

async function askOne(
	reader: LineReader,
	approval: Approval,
	measure: () => number,
): Promise<LocalApprovalAnswer> {
	let answer = await show(reader, approval, { columns: measure() });
	while (answer !== undefined && /^\s*f(ull)?\s*$/i.test(answer))
		answer = await show(reader, approval, { columns: measure(), isWhole: true });
	if (answer === undefined) return undefined;
	if (/^\s*y(es)?\s*$/i.test(answer)) return "approve";
	const reason = (await reader.readFresh("Why not? The model is told (Enter for no reason): "))?.trim();
	return { decision: "deny", ...(reason ? { reason } : {}) };
}

/** The call, and below it the question, which names the tool again. */
function show(
	reader: LineReader,
	approval: Approval,
	shape: { readonly columns: number; readonly isWhole?: boolean },
): Promise<string | undefined> {
	const { title, tool, rows, size, isCut } = describeCall(approval, shape);
	const keys = isCut ? "y/N, f shows all" : "y/N";
	return reader.readFresh(`Approve ${tool}? ${size}. [${keys}] `, `Waits for an approval: ${title}\n${rows}`);
}
