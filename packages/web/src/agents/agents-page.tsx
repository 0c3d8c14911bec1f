import { AgentArea } from "./agent-area";
import { AgentList } from "./agent-list";
import { VersionsArea } from "./versions/versions-area";
import "../runs/runs.css";
import "./agents.css";

interface AgentsPageProps {
	readonly agentId: string | undefined;
	/** Run to show with its agent. */
	readonly runId: string | undefined;
	/** Versions to compare. Left out: the agent itself is shown. */
	readonly versions: readonly number[] | undefined;
}

/** Page of the agents, or of one of them. */
export function AgentsPage({ agentId, runId, versions }: AgentsPageProps) {
	if (agentId === undefined) return <AgentList />;
	if (versions !== undefined) return <VersionsArea key={agentId} id={agentId} compared={versions} />;
	return <AgentArea key={agentId} id={agentId} runId={runId} />;
}
