import { APPROVALS_EXTENSION, BEARER_SECURITY, createAgentCard } from "@stemma/a2a-server";
import type { A2aAgentCard } from "@stemma/client/a2a";
import type { AgentEntry } from "../agents/catalog";
import type { Access } from "../http/request/access";

/**
 * Creates the card of an agent from its agent file. @param url - of the agent, as the caller has called this runtime.
 */
export const toAgentCard = (
	{ id, name, description, version }: AgentEntry,
	url: string,
	access: Access,
): A2aAgentCard =>
	createAgentCard({
		id,
		name: name ?? undefined,
		description: description ?? undefined,
		version,
		url,
		extensions: [APPROVALS_EXTENSION],
		...(access.kind === "token" ? BEARER_SECURITY : {}),
	});
