import type { TraceContext } from "@stemma/core";
import { StemmaError } from "@stemma/core/errors";
import { clock } from "@stemma/core/internal";
import type { Caller } from "../auth/caller";
import { createNewId } from "../auth/new-id";
import type { TokenBudgets } from "../auth/token-budgets";
import { BlockedAddressError } from "../outbound/blocked-address-error";
import type { RunLog } from "../runs/run-log";
import type { ServiceTelemetry } from "../telemetry/service-telemetry";
import type { CallMeter } from "./metered-model";
import type { ModelTurns } from "./model-turns";

/** What a caller with a budget gets for one call, where it asks for no other limit. */
const MAX_OUTPUT_TOKENS = 4096;

export interface CallMeterOptions {
	/** The run of a call is one of this store, and not what the caller says. */
	readonly isOwnRun: boolean;
	/** Under which its one row is kept; default: a new one for each. */
	readonly receiptId?: string;
}

/** Who is charged, and where it is written down. */
export interface CallAccount {
	readonly caller: Caller;
	readonly budgets: TokenBudgets;
	readonly log: RunLog;
	readonly telemetry: Pick<ServiceTelemetry, "startSpan" | "metrics">;
	readonly modelTurns: ModelTurns;
	/** Place of the calls in a trace; none: they have spans elsewhere, or none. */
	readonly traceContext?: TraceContext | undefined;
}

/** Takes calls off the caller's budget, and writes down who pays for each. */
export function createCallMeter(
	{ caller, budgets, log, telemetry, modelTurns, traceContext }: CallAccount,
	{ isOwnRun, receiptId }: CallMeterOptions,
): CallMeter {
	return {
		enter: (signal) => modelTurns.enter(caller.workspaceId, signal),
		builtIn: modelTurns.builtIn.forWorkspace(caller.workspaceId),
		spans: { start: telemetry.startSpan, parent: traceContext },
		async limitOutput(input, wished) {
			const left = await budgets.tokensLeft(caller);
			if (left === undefined) return wished;
			return Math.max(1, Math.min(wished ?? MAX_OUTPUT_TOKENS, left - input));
		},
		async reserve(tokens) {
			const reservation = await budgets.reserveTokens(caller, tokens);
			return (used) => budgets.settleTokens(reservation, used);
		},
		tell: (error) => (caller.scopes.includes("settings:write") ? error : hideAddress(error)),
		onReceipt(row, { origin, isFailed = false } = {}) {
			telemetry.metrics.countCall(row, isFailed);
			log.appendReceipt({
				id: receiptId ?? createNewId("rcp"),
				runId: (isOwnRun && origin?.runId) || null,
				at: clock.now(),
				receipt: JSON.stringify(row),
			});
		},
	};
}

/** Where a workspace's model is, and how an operator opens that, is for those who may set it. */
function hideAddress(error: unknown): unknown {
	if (!BlockedAddressError.is(error)) return error;
	const { code, attempts } = error;
	const hidden = new StemmaError("The address of the workspace's model may not be called.", {
		code,
		hint: "Whoever may change the workspace's model settings can see why, by a test of them.",
		cause: error,
	});
	return Object.assign(hidden, { attempts });
}
