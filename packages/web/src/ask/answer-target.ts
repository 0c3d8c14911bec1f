import type { KnowledgeBase, StoredAgentSummary } from "@stemma/client";

/** Source of answers: an agent, or knowledge bases, all of them where none is chosen. */
export type AnswerTarget =
	| { readonly kind: "knowledge"; readonly ids: readonly string[] }
	| { readonly kind: "agent"; readonly id: string };

/** Agents and knowledge bases to choose from. */
export interface AnswerChoices {
	readonly knowledgeBases: readonly KnowledgeBase[];
	readonly agents: readonly StoredAgentSummary[];
}

export const ALL_KNOWLEDGE: AnswerTarget = { kind: "knowledge", ids: [] };

/** A question names at most so many knowledge bases. */
export const MAX_KNOWLEDGE_BASES = 100;

/** Parses a target that the browser has stored. */
export function parseTarget(stored: unknown): AnswerTarget {
	const { kind, ids, id } = Object(stored);
	if (kind === "agent" && typeof id === "string") return { kind, id };
	if (kind === "knowledge" && Array.isArray(ids))
		return { kind, ids: ids.filter((one) => typeof one === "string") };
	return ALL_KNOWLEDGE;
}

/** Leaves out of a target what is no longer there. */
export function toAvailable(target: AnswerTarget, { knowledgeBases, agents }: AnswerChoices): AnswerTarget {
	if (target.kind === "agent") return agents.some(({ id }) => id === target.id) ? target : ALL_KNOWLEDGE;
	const known = new Set(knowledgeBases.map(({ id }) => id));
	return { kind: "knowledge", ids: target.ids.filter((id) => known.has(id)) };
}

/** Knowledge bases that are asked. */
export function toKnowledgeBaseIds(
	ids: readonly string[],
	{ knowledgeBases }: AnswerChoices,
): readonly string[] {
	const all = knowledgeBases.map(({ id }) => id);
	return (ids.length === 0 ? all : ids).slice(0, MAX_KNOWLEDGE_BASES);
}

const METADATA_KEY = "web_knowledge_base_ids";
/** Values of a thread's metadata are not longer. */
const MAX_METADATA_CHARACTERS = 512;

/** Fields of a new thread, so that it is continued with what it was begun with. */
export function toThreadFields(target: AnswerTarget) {
	if (target.kind === "agent") return { agent_id: target.id };
	const ids = target.ids.join(",");
	return ids === "" || ids.length > MAX_METADATA_CHARACTERS ? {} : { metadata: { [METADATA_KEY]: ids } };
}

/** Target that a thread was begun with. */
export function readThreadTarget(thread: {
	readonly agent_id: string | null;
	readonly metadata: Readonly<Record<string, string>>;
}): AnswerTarget {
	if (thread.agent_id !== null) return { kind: "agent", id: thread.agent_id };
	const ids = thread.metadata[METADATA_KEY];
	return { kind: "knowledge", ids: ids === undefined ? [] : ids.split(",") };
}
