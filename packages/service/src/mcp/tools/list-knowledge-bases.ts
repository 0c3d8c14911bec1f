import type { KnowledgeBase } from "@stemma/client";
import * as z from "zod";
import { findVisibleKnowledgeBases } from "../../answering/retrieval/visible-knowledge-bases";
import { DomainError } from "../../errors/domain-error";
import { paginate } from "../../pagination";
import type { RequestScope } from "../../request-scope";
import { pageOf } from "../output-schemas";
import { pageInput } from "../page-input";
import { defineTool, type Tool } from "../tool";

const count = z.int();

/** Lists the knowledge bases that the caller may use. */
export const listKnowledgeBasesTool: Tool = defineTool({
	name: "list_knowledge_bases",
	title: "List knowledge bases",
	description:
		"Lists the knowledge bases that you may use, oldest first: sets of documents that are searched together, with name, description and how many documents each has. " +
		"Use it to find the id of the one that a question is about, or to tell the user what there is. `search` and `ask` look in all of them when none is named.",
	scopes: ["ask", "knowledge:read"],
	input: z.strictObject(pageInput),
	output: pageOf(
		z.looseObject({
			id: z.string().describe("kb_…"),
			slug: z.string().describe("Taken in place of the id."),
			name: z.string(),
			description: z.string().nullable(),
			llm_provider: z.string().nullable(),
			llm_model: z.string().nullable(),
			documents: z.looseObject({
				total: count,
				queued: count,
				processing: count,
				ready: count.describe("Those that can be found."),
				failed: count,
			}),
			passage_count: count,
			embedding: z.looseObject({ model: z.string(), dimensions: count }).nullable(),
			created_at: z.string(),
			updated_at: z.string(),
		}),
	),
	async call({ limit, after }, { scope }) {
		const { knowledge } = scope.workspace;
		const ids = await findVisibleKnowledgeBases(scope, { limit: limit + 1, after });
		const { data, ...page } = paginate(ids, limit, (id) => id);
		const bases = await Promise.all(data.map((id) => knowledge.getKnowledgeBase(id).catch(ignoreNotFound)));
		const show = canSeeModels(scope) ? (base: KnowledgeBase) => base : withoutModels;
		return { data: bases.filter((base) => base !== undefined).map(show), ...page };
	},
});

/** Deleted since its id was read. */
function ignoreNotFound(error: unknown): undefined {
	if (!(error instanceof DomainError && error.code === "knowledge_base_not_found")) throw error;
}

const canSeeModels = (scope: RequestScope): boolean => scope.caller.scopes.includes("knowledge:read");

/**
 * Removes the models from a knowledge base, for callers who may only ask and do not see which models a workspace has.
 */
const withoutModels = (base: KnowledgeBase): KnowledgeBase => ({
	...base,
	llm_provider: null,
	llm_model: null,
	embedding: null,
});
