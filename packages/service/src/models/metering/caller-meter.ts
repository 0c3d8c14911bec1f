import { StemmaError } from "@stemma/core/errors";
import { clock } from "@stemma/core/internal";
import { createId } from "../../create-id";
import { BlockedAddressError } from "../../outbound/blocked-address-error";
import type { RequestScope } from "../../request-scope";
import type { CallMeter } from "./call-meter";

/** Maximum output tokens of one call by a caller with a budget, where the caller requests no other limit. */
const MAX_OUTPUT_TOKENS = 4096;

export interface CallMeterOptions {
	/** The run of a call is one of this store, and not what the caller says. */
	readonly isServiceRun: boolean;
	/** ID under which the one row of the meter is stored; default: a new ID for each row. */
	readonly receiptId?: string;
}

/** Caller that is charged, and where the charge is recorded. Without a `traceContext`, calls have spans elsewhere, or none. */
export type MeterScope = Pick<RequestScope, "caller" | "kernel" | "workspace"> &
	Partial<Pick<RequestScope, "traceContext">>;

/** Takes calls off the caller's budget, and writes down who pays for each. */
export function createCallMeter(
	{ caller, kernel, workspace, traceContext }: MeterScope,
	{ isServiceRun, receiptId }: CallMeterOptions,
): CallMeter {
	const { budgets, telemetry, modelCallQueue, models } = kernel;
	return {
		acquire: (signal) => modelCallQueue.acquire(caller.workspaceId, signal),
		builtIn: modelCallQueue.builtIn.forWorkspace(caller.workspaceId),
		embedded: models.embedded?.forWorkspace(caller.workspaceId, "questions"),
		spans: { start: telemetry.startSpan, parent: traceContext },
		async limitOutput(input, requested) {
			const remaining = await budgets.tokensLeft(caller);
			if (remaining === undefined) return requested;
			return Math.max(1, Math.min(requested ?? MAX_OUTPUT_TOKENS, remaining - input));
		},
		async reserve(tokens) {
			const reservation = await budgets.reserveTokens(caller, tokens);
			return (used) => budgets.commitTokens(reservation, used);
		},
		computeCost: models.computeCost,
		toCallerError: (error) => (caller.scopes.includes("settings:write") ? error : redactAddress(error)),
		onReceipt(row, { origin, isFailed = false } = {}) {
			telemetry.metrics.countCall(row, isFailed);
			workspace.runs.log.appendReceipt({
				id: receiptId ?? createId("rcp"),
				runId: (isServiceRun && origin?.runId) || null,
				...(caller.kind === "user" && { userId: caller.id }),
				at: clock.now(),
				receipt: JSON.stringify(row),
			});
		},
	};
}

/**
 * Removes the address from an error: the address of a workspace's model, and how an operator allows it, are only for
 * callers who may change it.
 */
function redactAddress(error: unknown): unknown {
	if (!BlockedAddressError.is(error)) return error;
	const { code, attempts } = error;
	const redacted = new StemmaError("The address of the workspace's model may not be called.", {
		code,
		hint: "Clients that may change the workspace's model settings can see why by testing them.",
		cause: error,
	});
	return Object.assign(redacted, { attempts });
}
