import type { StoredAgent } from "@stemma/client";
import { useState } from "react";
import { loadValue, storeValue } from "../../data/stored-value";

/** Text of a graph that is edited, with the version of the agent that it was made from. */
export interface Draft {
	readonly version: number;
	readonly text: string;
}

/** Draft of an agent. */
export interface AgentDraft extends Draft {
	/** True where it differs from what the service has. */
	readonly isChanged: boolean;
	readonly change: (text: string) => void;
	/** Takes what was saved for the version that is edited; what was written since then stays. */
	readonly settle: (sent: string, saved: StoredAgent) => void;
	/** Starts from a version of the agent again. */
	readonly reset: (agent: StoredAgent) => void;
}

export const toText = ({ graph }: Pick<StoredAgent, "graph">): string => JSON.stringify(graph, null, 2);

const toDraft = (agent: StoredAgent): Draft => ({ version: agent.version, text: toText(agent) });

/** Parses a draft that the browser has stored. */
export function parseDraft(stored: unknown): Draft | undefined {
	const { version, text } = Object(stored);
	return typeof version === "number" && typeof text === "string" ? { version, text } : undefined;
}

/** Draft after a save: what was saved, or what was written since it was sent, on top of the new version. */
export const settleDraft = (current: Draft, sent: string, saved: StoredAgent): Draft =>
	current.text === sent ? toDraft(saved) : { ...current, version: saved.version };

/** Draft of an agent, which a reload does not lose. */
export function useAgentDraft(agent: StoredAgent): AgentDraft {
	const key = `stemma-agent-draft ${agent.id}`;
	const [draft, setDraft] = useState(() => parseDraft(loadValue(key)) ?? toDraft(agent));
	const set = (next: Draft, isChanged: boolean) => {
		setDraft(next);
		storeValue(key, isChanged ? next : undefined);
	};
	const saved = toText(agent);
	return {
		...draft,
		isChanged: draft.text !== saved,
		change: (text) => set({ ...draft, text }, text !== saved),
		settle: (sent, settled) =>
			setDraft((current) => {
				const next = settleDraft(current, sent, settled);
				storeValue(key, next.text === toText(settled) ? undefined : next);
				return next;
			}),
		reset: (newest) => set(toDraft(newest), false),
	};
}
