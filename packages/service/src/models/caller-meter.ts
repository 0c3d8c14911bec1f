import type { ServiceContext } from "../http/service-app";
import type { RunLog } from "../runs/run-log";
import type { CallMeter } from "./metered-model";

/** Takes calls off the caller's budget, and writes down who pays for each. */
export function createCallMeter(context: ServiceContext, log: RunLog): CallMeter {
	const { budgets } = context.get("kernel");
	const caller = context.get("caller");
	return {
		async reserve(tokens) {
			const reservation = await budgets.reserveTokens(caller, tokens);
			return (used) => budgets.settleTokens(reservation, used);
		},
		onReceipt(row, { origin }) {
			log.appendReceipt({ runId: origin?.runId ?? null, at: Date.now(), receipt: JSON.stringify(row) });
		},
	};
}
