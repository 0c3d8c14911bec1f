import type { StoredAgent, StoredAgentSummary } from "@stemma/client";
import type { PageRequest } from "../pagination";
import type { IdempotencyRecord } from "../store/idempotency-repository";

/** New graph and slug of a stored agent. */
export interface AgentReplacement extends Pick<StoredAgent, "graph" | "slug" | "updated_at"> {
	/** Version that is replaced. Default: any. */
	readonly expectedVersion?: number | undefined;
}

/** Page of a list of agents. */
export interface AgentPage extends PageRequest {
	/** Ids to leave out. Default none. */
	readonly without?: readonly string[];
}

/** Graphs of one workspace in its store. */
export interface AgentRepository {
	/** Finds an agent by its id or slug. */
	find(idOrSlug: string): Promise<StoredAgent | undefined>;
	/** Lists agents in the order of creation; one more than `limit`, where there are more. */
	list(page: AgentPage): Promise<readonly StoredAgentSummary[]>;
	/** Lists the slugs that start with a text of lower-case letters, digits and hyphens. */
	listSlugs(prefix: string): Promise<readonly string[]>;
	/** Lists the agents with a node that names a knowledge base in one of these ways. */
	listUsers(knowledgeBaseNames: readonly string[]): Promise<readonly Pick<StoredAgent, "id" | "slug">[]>;
	/**
	 * Adds an agent and the record of the request that creates it, in one transaction.
	 *
	 * @throws ConstraintError where another agent has the slug.
	 */
	insert(agent: StoredAgent, request: IdempotencyRecord | undefined): Promise<void>;
	/**
	 * Replaces an agent; another graph is another version. `undefined` where there is none of this id and version.
	 *
	 * @throws ConstraintError where another agent has the slug.
	 */
	replace(id: string, replacement: AgentReplacement): Promise<StoredAgent | undefined>;
	delete(id: string): Promise<void>;
}
