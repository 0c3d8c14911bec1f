import type { PassagesPart } from "../../../../knowledge/repositories/passage-repository";
import type { PartMatch } from "../../../sqlite/knowledge/jobs/store-passages-job";
import type { WorkspaceTransaction } from "../../workspace-transaction";
import { insertVectors, readVectorSlot } from "../search/passage-vectors";
import { collectWords } from "../word-index/collected-words";
import { toNewWords } from "../word-index/document-words";
import { insertPassages } from "./insert-passages";
import { insertSweeps } from "./insert-sweep";
import type { PreparedWords } from "./prepared-words";
import { publishPassages, type ReadDocument, toTitle } from "./publish-passages";

/** Part that is stored. */
export interface MatchedPart {
	readonly document: ReadDocument;
	readonly part: PassagesPart;
	readonly match: Extract<PartMatch, { kind: "store" }>;
}

/** Stores parts, with a few statements for all of a knowledge base. */
export async function storePassageParts(
	transaction: WorkspaceTransaction,
	matched: readonly MatchedPart[],
	{ now, prepared }: { readonly now: number; readonly prepared: PreparedWords },
): Promise<void> {
	for (const [base, group] of Map.groupBy(matched, ({ document }) => document.knowledge_base))
		await storePassagesOf(transaction, base, group, prepared);
	// No document shows them yet: after a crash they are swept away.
	const started = matched.filter((one) => !isLast(one) && one.part.first === one.part.range.first);
	await insertSweeps(
		transaction,
		started.map(({ document: { knowledge_base: knowledgeBase }, part: { range, upload } }) => ({
			...{ knowledgeBase, upload, ...range },
		})),
	);
	const last = matched.filter(isLast);
	await publishPassages(
		transaction,
		last.map(({ document, part }) => ({ document, part, title: toTitle(document, part) })),
		now,
	);
}

const isLast = ({ part: { first, range }, match }: MatchedPart): boolean =>
	first + match.passages.length === range.first + range.count;

async function storePassagesOf(
	transaction: WorkspaceTransaction,
	knowledgeBase: number,
	matched: readonly MatchedPart[],
	prepared: PreparedWords,
): Promise<void> {
	const documents = matched.map(({ document, part, match }) => ({
		...{ document: document.number, first: part.first },
		...{ title: toTitle(document, part), passages: match.passages },
	}));
	const words =
		prepared.find(knowledgeBase, documents) ?? (await collectWords(documents.flatMap(toNewWords)));
	await insertPassages(transaction, knowledgeBase, documents, words);
	const vectors = matched.flatMap(({ part, match }) =>
		(match.vectors?.values ?? []).map((values, index) => ({ passage: part.first + index, values })),
	);
	if (vectors.length > 0)
		await insertVectors(
			transaction,
			knowledgeBase,
			await readVectorSlot(transaction, knowledgeBase),
			vectors,
		);
}
