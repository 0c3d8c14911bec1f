import type { AgentVersion, AgentVersionSummary, StoredAgent, StoredAgentSummary } from "@stemma/client";
import type { AgentGraph } from "@stemma/core";
import { clock, quote } from "@stemma/core/internal";
import { createId } from "../create-id";
import { DomainError } from "../errors/domain-error";
import type { IdempotencyRecord } from "../store/idempotency-repository";
import { ConstraintError } from "../store/storage-error";
import { storeWithFreeSlug, toSlug } from "../validation/slug";
import {
	type AgentPage,
	type AgentRepository,
	MAX_AGENT_VERSIONS,
	type VersionAuthor,
	type VersionPage,
} from "./agent-repository";

/** Change of an agent: what is left out stays. */
export interface AgentChange extends VersionAuthor {
	readonly graph: AgentGraph;
	readonly slug?: string | undefined;
	/** Version that the change was made from. Default: any. */
	readonly version?: number | undefined;
	/** Number of the version whose graph it is. Default: none. */
	readonly restoredFrom?: number | undefined;
}

/** New agent of a workspace. */
export interface NewAgent extends VersionAuthor {
	readonly graph: AgentGraph;
	/** Default: made from the name of the graph. */
	readonly slug?: string | undefined;
}

/** The agents of a workspace. `idOrSlug` is either. */
export interface Agents {
	/**
	 * @param toRecord - record of the request that creates the agent, stored in the same transaction.
	 * @throws DomainError `slug_taken`.
	 */
	create(
		agent: NewAgent,
		toRecord: (created: StoredAgent) => IdempotencyRecord | undefined,
	): Promise<StoredAgent>;
	/** @throws DomainError `slug_taken`, `agent_not_found`; `agent_changed` where it has another version than expected. */
	replace(idOrSlug: string, change: AgentChange): Promise<StoredAgent>;
	/** @throws DomainError `agent_not_found`. */
	get(idOrSlug: string): Promise<StoredAgent>;
	/** Lists agents in the order of creation; one more than the limit, where there are more. */
	list(page: AgentPage): Promise<readonly StoredAgentSummary[]>;
	/** Lists the agents with a node that names a knowledge base in one of these ways. */
	readonly listUsers: AgentRepository["listUsers"];
	/** @throws DomainError `agent_not_found`. */
	delete(idOrSlug: string): Promise<string>;
	/** Lists versions of an agent, the newest first; one more than the limit, where there are more. @throws DomainError `agent_not_found`. */
	listVersions(idOrSlug: string, page: VersionPage): Promise<readonly AgentVersionSummary[]>;
	/** @throws DomainError `agent_not_found`, `agent_version_not_found`. */
	getVersion(idOrSlug: string, number: number): Promise<AgentVersion>;
}

export function createAgents(repository: AgentRepository): Agents {
	async function get(idOrSlug: string): Promise<StoredAgent> {
		const agent = await repository.find(idOrSlug);
		if (agent === undefined) throw agentNotFound(idOrSlug);
		return agent;
	}
	return {
		get,
		list: repository.list,
		listUsers: repository.listUsers,
		async create({ graph, slug, ...author }, toRecord) {
			const id = createId("ag");
			const now = new Date(clock.now()).toISOString();
			const { name = null, description = null } = graph;
			async function store(free: string): Promise<StoredAgent> {
				const created = {
					...{ id, slug: free, name, description, version: 1 },
					...{ created_at: now, updated_at: now, graph },
				};
				await rejectDuplicateSlug(repository.insert(created, author, toRecord(created)), free);
				return created;
			}
			if (slug !== undefined) return store(slug);
			const base = toSlug(name ?? "");
			return base === "" ? store(id.replace("_", "-")) : storeWithFreeSlug(base, repository.listSlugs, store);
		},
		async replace(idOrSlug, { slug: requestedSlug, version: expectedVersion, ...change }) {
			const { id, slug: oldSlug } = await get(idOrSlug);
			const slug = requestedSlug ?? oldSlug;
			const updated_at = new Date(clock.now()).toISOString();
			const replacement = { ...change, slug, updated_at, expectedVersion };
			const replaced = await rejectDuplicateSlug(repository.replace(id, replacement), slug);
			if (replaced !== undefined) return replaced;
			const { version } = await get(idOrSlug);
			throw agentChanged(version, expectedVersion);
		},
		async delete(idOrSlug) {
			const { id } = await get(idOrSlug);
			await repository.delete(id);
			return id;
		},
		async listVersions(idOrSlug, page) {
			const { id } = await get(idOrSlug);
			return repository.listVersions(id, page);
		},
		async getVersion(idOrSlug, number) {
			const { id } = await get(idOrSlug);
			const version = await repository.findVersion(id, number);
			if (version === undefined) throw versionNotFound(number);
			return version;
		},
	};
}

export const agentNotFound = (idOrSlug: string): DomainError =>
	new DomainError("agent_not_found", `There is no agent ${quote(idOrSlug)}.`, {
		hint: "GET /v1/agents lists the agents of the workspace; the id and the slug both work.",
	});

export const versionNotFound = (number: number | string): DomainError =>
	new DomainError("agent_version_not_found", `The agent has no version ${quote(String(number))}.`, {
		hint: `GET /v1/agents/:id/versions lists those that are kept: the newest ${MAX_AGENT_VERSIONS}.`,
	});

const agentChanged = (version: number, expectedVersion: number | undefined): DomainError =>
	new DomainError(
		"agent_changed",
		`The agent was changed: it has version ${version}, and not ${expectedVersion}.`,
		{
			param: "version",
			hint: "Read the agent again, make the change in that version, and send it with its number.",
			details: { version },
		},
	);

async function rejectDuplicateSlug<Written>(written: Promise<Written>, slug: string): Promise<Written> {
	try {
		return await written;
	} catch (error) {
		if (!(error instanceof ConstraintError)) throw error;
		throw new DomainError("slug_taken", `Another agent has the slug "${slug}".`, {
			param: "slug",
			hint: "Choose another slug, or replace that agent with PUT.",
		});
	}
}
