import { findHiddenItems } from "../access/hidden-items";
import { resolveKnowledgeBases } from "../answering/retrieval/knowledge-base-selection";
import { DomainError } from "../errors/domain-error";
import type { RequestScope } from "../request-scope";
import { findRunnableAgent, listKnowledgeBases } from "../runs/start-agent-run";
import type { ResponderName } from "./responder-name";

/** Agent or knowledge base that can be named as a model. */
export interface ListedResponder extends Pick<ResponderName, "kind"> {
	readonly id: string;
	readonly slug: string;
	readonly name: string | null;
	/** Epoch milliseconds. */
	readonly createdAt: number;
}

/** Maximum number of agents, and of knowledge bases, that are listed as models: the oldest. */
export const MAX_LISTED_RESPONDERS = 500;

/** Lists the agents and knowledge bases that a caller may use, each kind in the order of creation. */
export async function listResponders(scope: RequestScope): Promise<readonly ListedResponder[]> {
	const { scopes } = scope.caller;
	const agents = scopes.includes("agents:run") ? await listAgents(scope) : [];
	return [...agents, ...(scopes.includes("ask") ? await listBases(scope) : [])];
}

async function listAgents(scope: RequestScope): Promise<readonly ListedResponder[]> {
	// What a person may not use is known at once; of client keys each agent is looked at.
	const { agentIds: without } = await findHiddenItems(scope);
	const agents = await scope.workspace.agents.list({ limit: MAX_LISTED_RESPONDERS, without });
	const listed: ListedResponder[] = [];
	for (const { id, slug, name, created_at } of agents.slice(0, MAX_LISTED_RESPONDERS))
		if (await canRun(scope, id))
			listed.push({ kind: "agent", id, slug, name, createdAt: Date.parse(created_at) });
	return listed;
}

/** Checks whether a caller may run an agent: a client key needs its knowledge bases, too. */
async function canRun(scope: RequestScope, agentId: string): Promise<boolean> {
	if (scope.caller.kind !== "client_key") return true;
	try {
		const { graph } = await findRunnableAgent(scope, agentId);
		await resolveKnowledgeBases(scope, listKnowledgeBases(graph));
		return true;
	} catch (error) {
		if (error instanceof DomainError) return false;
		throw error;
	}
}

async function listBases(scope: RequestScope): Promise<readonly ListedResponder[]> {
	const { caller, workspace } = scope;
	const { knowledgeBaseIds: without } = await findHiddenItems(scope);
	const ids = caller.kind === "client_key" ? (caller.knowledgeBaseIds ?? undefined) : undefined;
	const bases = await workspace.knowledge.listKnowledgeBaseSummaries({
		limit: MAX_LISTED_RESPONDERS,
		ids,
		without,
	});
	return bases.map(({ id, slug, name, created_at }) => ({
		kind: "knowledge_base",
		id,
		slug,
		name,
		createdAt: created_at,
	}));
}
