import type { TraceContext } from "@stemma/core";
import { StemmaError } from "@stemma/core/errors";
import { clock } from "@stemma/core/internal";
import type { RunLog } from "@stemma/runs";
import type { Caller } from "../auth/caller";
import type { TokenBudgets } from "../auth/token-budgets";
import { createId } from "../create-id";
import { BlockedAddressError } from "../outbound/blocked-address-error";
import type { ServiceTelemetry } from "../telemetry/service-telemetry";
import type { CallMeter } from "./call-meter";
import type { ModelCallQueue } from "./model-call-queue";

/** Maximum output tokens of one call by a caller with a budget, where the caller requests no other limit. */
const MAX_OUTPUT_TOKENS = 4096;

export interface CallMeterOptions {
	/** The run of a call is one of this store, and not what the caller says. */
	readonly isServiceRun: boolean;
	/** ID under which the one row of the meter is stored; default: a new ID for each row. */
	readonly receiptId?: string;
}

/** Caller that is charged, and where the charge is recorded. */
export interface MeterContext {
	readonly caller: Caller;
	readonly budgets: TokenBudgets;
	readonly log: RunLog;
	readonly telemetry: Pick<ServiceTelemetry, "startSpan" | "metrics">;
	readonly modelCallQueue: ModelCallQueue;
	/** Place of the calls in a trace; none: they have spans elsewhere, or none. */
	readonly traceContext?: TraceContext | undefined;
}

/** Takes calls off the caller's budget, and writes down who pays for each. */
export function createCallMeter(
	{ caller, budgets, log, telemetry, modelCallQueue, traceContext }: MeterContext,
	{ isServiceRun, receiptId }: CallMeterOptions,
): CallMeter {
	return {
		acquire: (signal) => modelCallQueue.acquire(caller.workspaceId, signal),
		builtIn: modelCallQueue.builtIn.forWorkspace(caller.workspaceId),
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
		toCallerError: (error) => (caller.scopes.includes("settings:write") ? error : redactAddress(error)),
		onReceipt(row, { origin, isFailed = false } = {}) {
			telemetry.metrics.countCall(row, isFailed);
			log.appendReceipt({
				id: receiptId ?? createId("rcp"),
				runId: (isServiceRun && origin?.runId) || null,
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
