import { quote } from "@stemma/core/internal";
import { findHiddenItems } from "../access/hidden-items";
import { DomainError } from "../errors/domain-error";
import type { RequestScope } from "../request-scope";

/** Agents that an error names; it counts the others. */
const MAX_NAMED = 10;

/**
 * Asserts that no agent names a knowledge base in one of these ways.
 *
 * @param names - the id, the slug or both.
 * @throws DomainError `knowledge_base_in_use`, with the agents where the caller may list them.
 */
export async function assertUnused(
	{ caller, workspace }: Pick<RequestScope, "caller" | "workspace">,
	slug: string,
	names: readonly string[],
): Promise<void> {
	const agents = await workspace.agents.listUsers(names);
	if (agents.length === 0) return;
	const canSeeAgents = caller.scopes.includes("agents:run") || caller.scopes.includes("agents:write");
	const { agentNames } = await findHiddenItems({ caller, workspace });
	const visible = agents.filter(({ id }) => !agentNames.has(id));
	const listed = visible.slice(0, MAX_NAMED).map((agent) => quote(agent.slug));
	const list = `: ${listed.join(", ")}${agents.length > listed.length ? ", …" : ""}`;
	const users = agents.length === 1 ? "1 agent names" : `${agents.length} agents name`;
	throw new DomainError(
		"knowledge_base_in_use",
		`${users} the knowledge base ${quote(slug)}${canSeeAgents ? list : ""}.`,
		{
			hint: "Store these agents with another knowledge base first, or add ?force=true: their runs then fail with knowledge_base_not_found.",
			...(canSeeAgents && { details: { agents: visible.map(({ id, slug }) => ({ id, slug })) } }),
		},
	);
}
