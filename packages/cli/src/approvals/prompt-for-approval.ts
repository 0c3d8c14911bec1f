import type { Approval } from "@stemma/core";
import { createSemaphore } from "@stemma/core/internal";
import type { AskForApproval, LocalApprovalDecision } from "@stemma/local";
import type { LineReader } from "../terminal/input/line-reader";
import type { Terminal } from "../terminal/terminal";
import { getColumns } from "../terminal/text/wrap-columns";
import { describeCall } from "./describe-call";

/** Asks whoever sits at the terminal, one question after the other. Where the input ends, an approval stays open. */
export function promptForApproval(
	{ stderr }: Pick<Terminal, "stderr">,
	openReader: () => LineReader,
): AskForApproval {
	const mutex = createSemaphore(1);
	return (approval, { signal }) =>
		mutex.run(async () =>
			signal.aborted ? undefined : promptOnce(openReader(), approval, () => getColumns(stderr)),
		);
}

async function promptOnce(
	reader: LineReader,
	approval: Approval,
	measure: () => number,
): Promise<LocalApprovalDecision> {
	let answer = await showCall(reader, approval, { columns: measure() });
	while (answer !== undefined && /^\s*f(ull)?\s*$/i.test(answer))
		answer = await showCall(reader, approval, { columns: measure(), isFull: true });
	if (answer === undefined) return undefined;
	if (/^\s*y(es)?\s*$/i.test(answer)) return "approve";
	const reason = (
		await reader.readAfterPrompt("Why not? The model gets this reason (Enter for none): ")
	)?.trim();
	return { decision: "deny", ...(reason ? { reason } : {}) };
}

/** The call, and below it the question, which names the tool again. */
function showCall(
	reader: LineReader,
	approval: Approval,
	shape: { readonly columns: number; readonly isFull?: boolean },
): Promise<string | undefined> {
	const { title, tool, rows, size, isCut } = describeCall(approval, shape);
	const keys = isCut ? "y/N, f shows all" : "y/N";
	return reader.readAfterPrompt(
		`Approve ${tool}? ${size}. [${keys}] `,
		`Waits for an approval: ${title}\n${rows}`,
	);
}
