import type { ReceiptRow, RunError } from "@stemma/core";
import type { CheckedOutcome } from "./agent-outcome";
import { requestCall } from "./approvals";
import { endCall } from "./call-queue";
import type { RemoteCommand } from "./command";
import { fail, type Invocation } from "./invocation";
import { addRows } from "./receipt";
import { readRemoteAnswer } from "./remote-text";
import type { RunState } from "./run-state";

/** Begins the one run of a remote node. */
export function startRemoteCall(run: RunState, invocation: Invocation): void {
	requestCall(run, toRemoteCommand(invocation));
}

export const toRemoteCommand = (invocation: Invocation): RemoteCommand => ({
	type: "remote",
	invocation,
	isOut: false,
	received: 0,
	sent: "",
	isHeld: false,
});

export function onRemoteOutcome(run: RunState, command: RemoteCommand, outcome: CheckedOutcome): void {
	const { invocation } = command;
	if (!endCall(run, command)) return;
	addNested(run, command, outcome.receipt);
	if (invocation.closed) return;
	invocation.value = readRemoteAnswer(run, command, outcome);
	invocation.quotes = outcome.passages.length === 0;
	run.tasks.push({ do: "continue", invocation });
}

interface RemoteFailure {
	readonly error: RunError;
	/** Of the calls that were made before. */
	readonly receipt?: readonly ReceiptRow[] | undefined;
}

export function onRemoteFailed(
	run: RunState,
	command: RemoteCommand,
	{ error, receipt = [] }: RemoteFailure,
): void {
	if (!endCall(run, command)) return;
	addNested(run, command, receipt);
	fail(run, command.invocation, error);
}

/** Rows name the node by its path: first that of this graph, then those of the graphs within. */
function addNested(run: RunState, { invocation }: RemoteCommand, rows: readonly ReceiptRow[]): void {
	const { id } = invocation.node;
	const toPath = (inner: string | undefined): string => (inner === undefined ? id : `${id}/${inner}`);
	addRows(
		run,
		rows.map((row) => ({ ...row, node: toPath(row.node) })),
	);
}
