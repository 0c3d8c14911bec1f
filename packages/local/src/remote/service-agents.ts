import {
	type AgentRunStream,
	agents,
	type RunInput,
	runs,
	type StemmaClient,
	type Timeouts,
} from "@stemma/client";
import {
	ConfigurationError,
	type ReceiptRow,
	RunFailedError,
	type RunResult,
	type RunStatus,
	StemmaError,
	type StemmaErrorOptions,
} from "@stemma/core";
import { quote } from "@stemma/core/internal";
import type { AgentOutcome, AgentPort, AgentRequest } from "@stemma/engine";
import { createTextAccumulator, type TextAccumulator } from "./text-accumulator";

/** Agents that a service keeps. An abort stops the run there. */
export function serviceAgents(
	client: StemmaClient | undefined,
	headers: Readonly<Record<string, string>>,
	timeouts: Partial<Timeouts> | undefined,
): AgentPort {
	return {
		async run(request, { signal, traceContext, ...listener }) {
			const agentId = getAgentId(request);
			if (client === undefined) throw missingService(agentId);
			const options = { signal, headers: { ...headers, ...traceContext }, timeouts };
			const stream = agents(client).stream(agentId, toRunInput(request), options);
			const text = createTextAccumulator(listener);
			const result = await readResult(stream, text);
			if (result.status === "paused") cancelPausedRun(client, stream, headers);
			return toOutcome(agentId, result, text);
		},
	};
}

/** The service takes what a client sends as it is; so what may not become instructions stays here. */
const toRunInput = ({ input, context, untrustedContext }: AgentRequest): RunInput =>
	context === undefined || untrustedContext === true ? { input } : { input, context };

function getAgentId({ agent, node, secret }: AgentRequest): string {
	const { agentId } = agent as { readonly agentId: string };
	if (secret === undefined) return agentId;
	throw new ConfigurationError(
		`The node ${quote(node)} has a secret, but agents of the service accept none: they get the client's credential.`,
		{ hint: "Remove `auth` from the node, or name the agent by its `url`." },
	);
}

async function readResult(stream: AgentRunStream, text: TextAccumulator): Promise<RunResult> {
	try {
		for await (const event of stream)
			if (event.type === "text.delta" && event.final) text.add(event.text);
			else if (event.type === "text.reset") text.reset();
		return await stream.result();
	} catch (error) {
		if (!RunFailedError.is(error)) throw error;
		return error.result;
	}
}

/** Cancels a paused run, since its approvals cannot be answered from here. */
function cancelPausedRun(
	client: StemmaClient,
	{ run_id, run_token }: AgentRunStream,
	headers: Readonly<Record<string, string>>,
): void {
	if (run_id === undefined) return;
	runs(client)
		.cancel(run_id, { run_token, headers })
		.catch((error: unknown) => client.logger?.warn(`The run ${run_id} could not be cancelled: ${error}`));
}

function toOutcome(agentId: string, result: RunResult, text: TextAccumulator): AgentOutcome {
	const { status, output, citations } = result;
	const receipt = toReceipt(result);
	if (status !== "completed") throw toError(agentId, result, status, receipt);
	if (typeof output === "string") text.replaceWith(output);
	else text.reset();
	return { output, citations: citations ?? [], receipt };
}

/** Client keys are not shown who paid. */
const toReceipt = ({ run_id, receipt = [] }: Partial<RunResult>): readonly ReceiptRow[] =>
	receipt.map((row) => (run_id === undefined ? row : { run_id, ...row }));

function toError(
	agentId: string,
	{ run_id, error }: RunResult,
	status: Exclude<RunStatus, "completed">,
	receipt: readonly ReceiptRow[],
): Error {
	if (status === "failed") {
		const { code = "run_failed", message = `The run ${run_id} failed.`, hint } = error ?? {};
		return createRemoteError(message, { code, hint }, receipt);
	}
	const agent = `The agent ${quote(agentId)}`;
	if (status === "cancelled")
		return createRemoteError(
			`${agent} was stopped: its run ${run_id} was cancelled there.`,
			{ code: "remote_cancelled" },
			receipt,
		);
	return createRemoteError(
		`${agent} waits for an approval, which nobody here can give: its run ${run_id} was stopped.`,
		{ code: "remote_paused", hint: "Call agents whose tools need no approval." },
		receipt,
	);
}

const missingService = (agentId: string): ConfigurationError =>
	new ConfigurationError(`The agent ${quote(agentId)} is one of a service, and there is no service here.`, {
		hint: "Pass a client: `remoteAgents({ client })`, or `servicePorts(client)` for all ports.",
	});

/** Creates the error of a failed call to another agent, with the receipt of the calls that it made before. */
const createRemoteError = (
	message: string,
	options: StemmaErrorOptions,
	receipt: readonly ReceiptRow[],
): StemmaError => new StemmaError(message, options, { receipt });
