import { sql } from "kysely";
import type { CoverageInput } from "../../../../knowledge/repositories/passage-index";
import { MAX_COUNTED_PASSAGES } from "../../../../knowledge/search/max-score";
import {
	computeQuestionCoverage,
	type StoredTexts,
	toCoverageTerms,
} from "../../../../knowledge/search/question-coverage";
import { toWord } from "../../../../knowledge/search/word-questions";
import { ownRows } from "../../own-rows-plugin";
import type { PostgresJob } from "../../postgres-job";
import { countPassages } from "./answer-word-question";
import { findSearchedBases } from "./searched-bases";
import { createWordReader } from "./word-reader";

/** Computes the share of a question that passages cover; 0 where there is none. */
export const computeCoverage: PostgresJob<CoverageInput, number> = async (
	transaction,
	{ question, knowledgeBases, passages, lead },
	cache,
) => {
	const bases = await findSearchedBases(transaction, knowledgeBases);
	const terms = toCoverageTerms(question);
	const indexed = {
		knowledgeBases: bases.map(({ number }) => number),
		deleted: bases.flatMap(({ deleted }) => deleted),
	};
	const reader = createWordReader(transaction, indexed, cache);
	const counts = await countPassages(
		reader,
		terms.map(({ word }) => toWord(word)),
		MAX_COUNTED_PASSAGES,
	);
	const total = bases.reduce((sum, { index }) => sum + (index?.shownCount ?? 0), 0);
	const { rows: texts } = await sql<StoredTexts>`
		select title, heading, text
		from unnest(${passages.map(({ document_id }) => document_id)}::text[], ${passages.map(({ ordinal }) => ordinal)}::bigint[])
			with ordinality as wanted (document_id, ordinal, place)
		join documents on documents.id = wanted.document_id and ${ownRows("documents")}
		join passages on passages.number = documents.first_passage + wanted.ordinal and ${ownRows("passages")}
		order by place`.execute(transaction);
	return computeQuestionCoverage(terms, { counts, total, lead }, texts);
};
