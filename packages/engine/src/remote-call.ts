import type { ReceiptRow, RemoteNode, RunError } from "@stemma/core";
import type { CheckedOutcome } from "./agent-outcome";
import type { RemoteCommand } from "./command";
import { fail, type Invocation } from "./invocation";
import type { AgentRequest } from "./ports";
import { addRows } from "./receipt";
import { readRemoteAnswer } from "./remote-text";
import type { RunState } from "./run-state";
import { toAsked } from "./value";

/** Begins the one run of a remote node. */
export function startRemoteCall(run: RunState, invocation: Invocation, node: RemoteNode): void {
	const command: RemoteCommand = {
		type: "remote",
		invocation,
		request: toRequest(run, invocation, node),
		received: 0,
		sent: "",
		isHeld: false,
	};
	run.remoteCalls.add(command);
	run.commands.push(command);
}

/** An agent of the service is given the context of the run; an agent of others only what it is asked. */
function toRequest(run: RunState, { input }: Invocation, node: RemoteNode): AgentRequest {
	const { id, auth } = node;
	const base = { runId: run.runId, node: id, ...(auth === undefined ? {} : { secret: auth.secret }) };
	if (node.url !== undefined) return { ...base, input: toAsked(input, run.input), agent: { url: node.url } };
	return {
		...base,
		input,
		agent: { agentId: node.agentId },
		context: run.context,
		...(run.untrustedContext ? { untrustedContext: true } : {}),
	};
}

export function onRemoteOutcome(run: RunState, command: RemoteCommand, outcome: CheckedOutcome): void {
	const { invocation } = command;
	if (!run.remoteCalls.delete(command)) return;
	addNested(run, command, outcome.receipt);
	if (invocation.closed) return;
	invocation.value = readRemoteAnswer(run, command, outcome);
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
	if (!run.remoteCalls.delete(command)) return;
	addNested(run, command, receipt);
	fail(run, command.invocation, error);
}

/** Rows name the node by its path: first that of this graph, then those of the graphs within. */
function addNested(run: RunState, { request }: RemoteCommand, rows: readonly ReceiptRow[]): void {
	const toPath = (inner: string | undefined): string =>
		inner === undefined ? request.node : `${request.node}/${inner}`;
	addRows(
		run,
		rows.map((row) => ({ ...row, node: toPath(row.node) })),
	);
}
