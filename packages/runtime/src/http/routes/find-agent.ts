import { quote } from "@stemma/core/internal";
import {
	type AgentCatalog,
	type AgentEntry,
	findEntries,
	isReady,
	type ReadyEntry,
} from "../../agents/catalog";
import { listFirst } from "../../agents/describe-agents";
import { HttpError } from "../http-error";

/** An answer names so many agents; `GET /agents` lists all. */
const MAX_AGENTS_SHOWN = 100;

/** The agent of that name, ready to run. @throws HttpError when no file answers to the name, or only invalid ones. */
export function findAgent(catalog: AgentCatalog, agentId: string): ReadyEntry {
	const found = findEntries(catalog, agentId);
	const [entry] = found;
	if (entry === undefined) throw agentNotFound(catalog, agentId);
	if (!isReady(entry)) throw agentInvalid(agentId, found);
	return entry;
}

function agentNotFound({ entries }: AgentCatalog, agentId: string): HttpError {
	const agents = [...new Set(entries.filter(isReady).map(({ id }) => id))];
	const ready = listFirst(agents, MAX_AGENTS_SHOWN);
	return new HttpError(404, `There is no agent ${quote(agentId)}.`, {
		code: "agent_not_found",
		hint: agents.length === 0 ? "No agent is ready; see GET /agents." : `Ready agents: ${ready}.`,
		details: { agents: agents.slice(0, MAX_AGENTS_SHOWN) },
	});
}

function agentInvalid(agentId: string, found: readonly AgentEntry[]): HttpError {
	const files = found.map(({ file }) => quote(file)).join(" and ");
	const issues = found.flatMap((entry) => entry.issues);
	return new HttpError(
		422,
		`The agent ${quote(agentId)} (${files}) is not valid: ${issues[0]?.message ?? ""}`,
		{
			code: "agent_invalid",
			hint: "Correct the file; the runtime picks up the change.",
			details: { issues: issues.map(({ code, message, path }) => ({ code, message, path })) },
		},
	);
}
