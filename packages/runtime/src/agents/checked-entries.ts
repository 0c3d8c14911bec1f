import type { RuntimeAgentIssue } from "@stemma/client";
import { type AgentEntry, isReady } from "./catalog";

/**
 * The entries with what the service says about them: a manifest whose agent cannot be run there is not ready.
 *
 * @param findIssue - gives the issue of an agent of the service, by its id or slug.
 */
export const withServiceIssues = (
	entries: readonly AgentEntry[],
	findIssue: (remoteAgentId: string) => RuntimeAgentIssue | undefined,
): readonly AgentEntry[] =>
	entries.map((entry) => {
		const { agent, remoteAgentId, ...file } = entry;
		const issue = agent === undefined || remoteAgentId === undefined ? undefined : findIssue(remoteAgentId);
		if (issue === undefined) return entry;
		return {
			...file,
			...(remoteAgentId === undefined ? {} : { remoteAgentId }),
			issues: [...file.issues, issue],
		};
	});

/** Agents of the service that ready manifests name. */
export const listRemoteAgentIds = (entries: readonly AgentEntry[]): readonly string[] =>
	entries.filter(isReady).flatMap(({ remoteAgentId }) => remoteAgentId ?? []);
