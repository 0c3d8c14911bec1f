import { toPushRequest } from "@stemma/a2a-server";
import type { A2aPushConfig, A2aStreamResponse } from "@stemma/client/a2a";
import type { OutboundGate } from "../outbound/outbound-gate";

/** `unsubscribed`: the receiver wants no more. */
export type DeliveryOutcome = "delivered" | "unsubscribed";

const GONE = 410;

/** Tells a receiver one thing. @throws Error for any answer that says neither. */
export async function sendWebhook(
	outbound: OutboundGate["fetch"],
	receiver: A2aPushConfig,
	notification: A2aStreamResponse,
	signal: AbortSignal,
): Promise<DeliveryOutcome> {
	const { status, ok, body } = await outbound(receiver.url, {
		...toPushRequest(receiver, notification),
		signal,
	});
	// What it says is of no use here.
	await body?.cancel().catch(() => undefined);
	if (ok) return "delivered";
	if (status === GONE) return "unsubscribed";
	throw new Error(`The receiver answered ${status}.`);
}
