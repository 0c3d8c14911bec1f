import type { RetrievalRequest, Retriever } from "@stemma/engine";
import type { Knowledge } from "../../knowledge/knowledge";
import { type CallMeter, collectReceipts } from "../../models/metering/call-meter";
import type { ModelRequest, Models } from "../../models/models";
import { planSearch } from "../queries/question-plan";
import {
	createQuestionQueries,
	type QuestionQueries,
	type QuestionQueriesOptions,
} from "../queries/question-queries";
import { type RetrieveOptions, retrieve } from "./retrieve";
import { withMeterParent } from "./retrieve-traced";

/** Options of the retriever of a run. */
export interface RunRetrieverOptions {
	readonly knowledge: Pick<Knowledge, "search" | "listKnowledgeBaseModels">;
	readonly models: Models;
	readonly meter: CallMeter;
	/**
	 * Resolves the knowledge bases that a node names to ids, each time it reads: a slug may have gone to another one since.
	 *
	 * @throws DomainError `knowledge_base_not_found` for those that the caller may not see.
	 */
	readonly resolveKnowledgeBases: (idsOrSlugs: readonly string[]) => Promise<readonly string[]>;
}

/** Settings that decide about the models of all nodes of a run. */
export type RunRequest = Pick<ModelRequest, "knowledgeBases" | "workspace">;

/** @param ids - of all knowledge bases that the coordinator reaches; they count the first time, before the run begins. */
export type ReadRunRequest = (ids: readonly string[]) => Promise<RunRequest>;

/** Finds the passages of a run's knowledge nodes. The model that the coordinator has makes queries and judges passages. */
export function createRunRetriever(
	{ knowledge, models, meter, resolveKnowledgeBases }: RunRetrieverOptions,
	readRunRequest: ReadRunRequest,
): Retriever {
	const toQueries = shareQueries();

	async function plan(
		{ minScore, history, choice, runKnowledgeBases }: RetrievalRequest,
		ids: readonly string[],
	) {
		return planSearch(
			models,
			{ choice, ...(await readRunRequest(runKnowledgeBases)) },
			{
				searchedKnowledgeBases: await knowledge.listKnowledgeBaseModels(ids),
				min_score: minScore,
				history,
			},
		);
	}

	async function search(
		request: RetrievalRequest,
		ids: readonly string[],
		options: Pick<RetrieveOptions, "meter" | "signal">,
	) {
		const { topK, minScore, filter } = request;
		const planned = { ...options, knowledge, models, plan: await plan(request, ids) };
		const limits = {
			top_k: topK,
			...(minScore !== undefined && { min_score: minScore }),
			...(filter !== undefined && { filter }),
		};
		return retrieve({ knowledge_base_ids: ids, ...limits, ...(await toQueries(request, planned)) }, planned);
	}

	return {
		async retrieve(request, { signal, traceContext, setReceiptReader }) {
			const { runId, node } = request;
			const receipts = collectReceipts(meter, { runId, node });
			setReceiptReader?.(receipts.readAll);
			const ids = await resolveKnowledgeBases(request.knowledgeBases);
			const tracedMeter = withMeterParent(receipts.meter, traceContext);
			try {
				const { passages } = await search(request, ids, { meter: tracedMeter, signal });
				return { passages, receipt: receipts.rows };
			} catch (error) {
				// What was called before is paid for all the same.
				if (error instanceof Error && !signal.aborted) Object.assign(error, { receipt: receipts.rows });
				throw error;
			}
		},
	};
}

/**
 * Makes the queries of a run's conversation once for all of its nodes. If that fails, or the node that asked first is no
 * longer waiting, the next node makes them.
 */
function shareQueries() {
	let shared: Promise<QuestionQueries> | undefined;
	return (
		{ query, history }: RetrievalRequest,
		options: QuestionQueriesOptions,
	): Promise<QuestionQueries> => {
		const create = () => createQuestionQueries({ question: query, history }, options);
		if (history === undefined) return create();
		shared = shared?.catch(create) ?? create();
		return shared;
	};
}
