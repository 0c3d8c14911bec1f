import { AgentArea } from "./agent-area";
import { AgentList } from "./agent-list";
import "../runs/runs.css";
import "./agents.css";

interface AgentsPageProps {
	readonly agentId: string | undefined;
	/** Run to show with its agent. */
	readonly runId: string | undefined;
}

/** Page of the agents, or of one of them. */
export function AgentsPage({ agentId, runId }: AgentsPageProps) {
	if (agentId === undefined) return <AgentList />;
	return <AgentArea key={agentId} id={agentId} runId={runId} />;
}
