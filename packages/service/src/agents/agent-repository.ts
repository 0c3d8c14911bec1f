import type { AgentVersion, AgentVersionSummary, StoredAgent, StoredAgentSummary } from "@stemma/client";
import type { PageRequest } from "../pagination";
import type { IdempotencyRecord } from "../store/idempotency-repository";

/** Newest versions of an agent that are kept. */
export const MAX_AGENT_VERSIONS = 100;

/** Author of a version, and the reason for it. */
export interface VersionAuthor {
	/** `cl_…` or `usr_…` */
	readonly createdBy: string;
	/** Default: none. */
	readonly note?: string | undefined;
}

/** New graph and slug of a stored agent. */
export interface AgentReplacement extends Pick<StoredAgent, "graph" | "slug" | "updated_at">, VersionAuthor {
	/** Number of the version whose graph it is. Default: none. */
	readonly restoredFrom?: number | undefined;
	/** Version that is replaced. Default: any. */
	readonly expectedVersion?: number | undefined;
}

/** Page of a list of agents. */
export interface AgentPage extends PageRequest {
	/** Ids to leave out. Default none. */
	readonly without?: readonly string[];
}

/** Page of a list of versions. */
export interface VersionPage {
	readonly limit: number;
	/** Number of the last version of the page before. Default: the newest are listed. */
	readonly before?: number | undefined;
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
	 * Adds an agent, its first version and the record of the request that creates it, in one transaction.
	 *
	 * @throws ConstraintError where another agent has the slug.
	 */
	insert(agent: StoredAgent, author: VersionAuthor, request: IdempotencyRecord | undefined): Promise<void>;
	/**
	 * Replaces an agent. Another graph is another version, which is kept, and the oldest one beyond the limit is deleted.
	 * `undefined` where there is none of this id and version.
	 *
	 * @throws ConstraintError where another agent has the slug.
	 */
	replace(id: string, replacement: AgentReplacement): Promise<StoredAgent | undefined>;
	/** Deletes an agent with its versions. */
	delete(id: string): Promise<void>;
	/** Lists the versions of an agent, the newest first; one more than `limit`, where there are more. */
	listVersions(id: string, page: VersionPage): Promise<readonly AgentVersionSummary[]>;
	findVersion(id: string, number: number): Promise<AgentVersion | undefined>;
}
