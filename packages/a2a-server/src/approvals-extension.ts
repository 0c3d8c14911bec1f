import type { A2aAgentCard } from "@stemma/client/a2a";

type Extension = NonNullable<A2aAgentCard["capabilities"]["extensions"]>[number];

/**
 * The extension by which a card says that decisions on approvals are taken within messages: A2A leaves how an authorization
 * comes to the agent to such an agreement (A2A 1.0.1, section 7.6.1). Callers need not name it in `A2A-Extensions`.
 */
export const APPROVALS_EXTENSION = {
	uri: "urn:stemma:a2a:approvals:v1",
	description:
		'A task in TASK_STATE_AUTH_REQUIRED takes a message with its taskId and, for each approval, a data part {"approval_id", "decision": "approve" or "deny", "reason" (optional)}.',
	required: false,
} as const satisfies Extension;
