import { createOutboundGate, type OutboundGate } from "./outbound-gate";
import type { OutboundPolicy } from "./outbound-policy";

/** Gates of a service, with the same policy. */
export interface Gates {
	readonly gate: OutboundGate;
	/** Gate with the limits of documents. */
	readonly sourceGate: OutboundGate;
}

/** Maximum size of a response that has documents: archives, too. Each item is limited by the size of uploads. */
const MAX_SOURCE_RESPONSE_BYTES = 1024 * 1024 * 1024;

/** Creates the gate of calls to addresses that workspaces chose, and the one of their sources of documents. */
export const createGates = (policy: OutboundPolicy): Gates => ({
	gate: createOutboundGate(policy),
	sourceGate: createOutboundGate({ ...policy, limits: { maxResponseBytes: MAX_SOURCE_RESPONSE_BYTES } }),
});
