import type { StemmaClient } from "../client";
import { path } from "../http/path";
import type { CallOptions, WithRequestId } from "../options/call-options";
import type { AgentRestore, AgentVersion, AgentVersionSummary, StoredAgent } from "../types/agent";
import type { PageOptions } from "../types/page";
import { createPaginatedList, type PaginatedList } from "./paginated-list";

/** Versions of agents, of which the service keeps the newest 100 each. `agent` is an id or a slug. Needs the scope `agents:write`. */
export interface AgentVersions {
	/** Lists versions, the newest first. */
	list(agent: string, page?: PageOptions, options?: CallOptions): PaginatedList<AgentVersionSummary>;
	/** @throws NotFoundError `agent_version_not_found`. */
	get(agent: string, number: number, options?: CallOptions): Promise<WithRequestId<AgentVersion>>;
	/**
	 * Stores the graph of an earlier version as the newest one, where the agent has another graph now. It is checked as any
	 * change is.
	 *
	 * @throws InvalidRequestError `agent_invalid`; ConflictError `agent_changed`.
	 */
	restore(
		agent: string,
		number: number,
		request?: AgentRestore,
		options?: CallOptions,
	): Promise<WithRequestId<StoredAgent>>;
}

export const agentVersions = (client: StemmaClient): AgentVersions => ({
	list: (agent, page, options) =>
		createPaginatedList(client, path`/v1/agents/${agent}/versions`, page, options),
	get: (agent, number, options) =>
		client.request({
			method: "GET",
			path: path`/v1/agents/${agent}/versions/${String(number)}`,
			options,
		}),
	restore: (agent, number, json = {}, options) =>
		client.request({
			method: "POST",
			path: path`/v1/agents/${agent}/versions/${String(number)}/restore`,
			json,
			options,
		}),
});
