import type { ReceiptRow, RunError } from "@stemma/core";
import { toRemoteValue } from "../answer/remote-text";
import type { CheckedOutcome } from "../io/agent-outcome";
import { requestCall } from "../run/approvals";
import { endCall } from "../run/call-queue";
import type { RemoteCommand } from "../run/command";
import { addRows } from "../run/receipt";
import type { RunState } from "../run/run-state";
import { fail } from "./create-invocation";
import type { Invocation } from "./invocation";

/** Begins the one run of a remote node. */
export function startRemoteCall(run: RunState, invocation: Invocation): void {
	requestCall(run, toRemoteCommand(invocation));
}

export const toRemoteCommand = (invocation: Invocation): RemoteCommand => ({
	type: "remote",
	invocation,
	isInFlight: false,
	received: 0,
	sent: "",
	isHeld: false,
});

export function onRemoteOutcome(run: RunState, command: RemoteCommand, outcome: CheckedOutcome): void {
	const { invocation } = command;
	if (!endCall(run, command)) return;
	addNestedRows(run, command, outcome.receipt);
	if (invocation.closed) return;
	invocation.value = toRemoteValue(run, command, outcome);
	invocation.verbatim = outcome.passages.length === 0;
	run.tasks.push({ type: "continue", invocation });
}

interface RemoteFailure {
	readonly error: RunError;
	/** Rows of the calls that were made before the failure. */
	readonly receipt?: readonly ReceiptRow[] | undefined;
}

export function onRemoteFailed(
	run: RunState,
	command: RemoteCommand,
	{ error, receipt = [] }: RemoteFailure,
): void {
	if (!endCall(run, command)) return;
	addNestedRows(run, command, receipt);
	fail(run, command.invocation, error);
}

/** Rows name the node by its path: first that of this graph, then those of the graphs within. */
function addNestedRows(run: RunState, { invocation }: RemoteCommand, rows: readonly ReceiptRow[]): void {
	const { id } = invocation.node;
	const toPath = (inner: string | undefined): string => (inner === undefined ? id : `${id}/${inner}`);
	addRows(
		run,
		rows.map((row) => ({ ...row, node: toPath(row.node) })),
	);
}
