import { toPushRequest } from "@stemma/a2a-server";
import type { A2aPushConfig, A2aStreamResponse } from "@stemma/client/a2a";
import type { OutboundGate } from "../outbound/outbound-gate";

/** `gone`: the receiver wants no more. */
export type PostOutcome = "told" | "gone";

const GONE = 410;

/** Tells a receiver one thing. @throws Error for any answer that says neither. */
export async function postNews(
	outbound: OutboundGate["fetch"],
	receiver: A2aPushConfig,
	news: A2aStreamResponse,
	signal: AbortSignal,
): Promise<PostOutcome> {
	const { status, ok, body } = await outbound(receiver.url, { ...toPushRequest(receiver, news), signal });
	// What it says is of no use here.
	await body?.cancel().catch(() => undefined);
	if (ok) return "told";
	if (status === GONE) return "gone";
	throw new Error(`The receiver answered ${status}.`);
}
