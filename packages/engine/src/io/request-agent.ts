import type { ReceiptRow, RunError } from "@stemma/core";
import { cloneJson } from "@stemma/core/internal";
import { type CheckedOutcome, checkOutcome } from "./agent-outcome";
import { readReceipt } from "./port-receipt";
import type { AgentCallOptions, AgentPort, AgentRequest } from "./ports";
import { shortenError } from "./shorten-error";
import { toRunError } from "./to-run-error";

/** Failure of a call to the agent port, with the receipt of what was spent. */
export interface AgentFailure {
	readonly error: RunError;
	/** Rows of the calls that were made before the failure. */
	readonly receipt: readonly ReceiptRow[];
}

/** Runs another agent; whatever happens ends in an outcome that a run can rest on, or in an error. */
export async function requestAgent(
	port: AgentPort,
	request: AgentRequest,
	options: AgentCallOptions,
): Promise<{ readonly outcome: CheckedOutcome } | AgentFailure> {
	let receipt: readonly ReceiptRow[] = [];
	try {
		// The port may change what it is given: that of events stays as it is.
		const outcome = await port.run({ ...request, input: cloneJson(request.input) }, options);
		receipt = readReceipt(outcome);
		return { outcome: checkOutcome(outcome, receipt, request.node) };
	} catch (error) {
		return {
			error: shortenError(toRunError(error, "remote_failed")),
			receipt: receipt.length > 0 ? receipt : readReceipt(error),
		};
	}
}
