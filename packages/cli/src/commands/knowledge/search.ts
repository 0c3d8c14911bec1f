import type { SearchResult } from "@stemma/client";
import { omitUndefined } from "@stemma/core/internal";
import { withHints } from "../../connection/with-hints";
import { type ServiceCommandOptions, withService } from "../../connection/with-service";
import { CREATE_KNOWLEDGE_BASE } from "../../knowledge-bases/find-knowledge-base";
import { resolveKnowledgeBases } from "../../knowledge-bases/resolve-knowledge-base";
import { readQuestion } from "../../terminal/input/read-question";
import { print, report } from "../../terminal/print";
import { renderPassages } from "../../terminal/render/render-passages";
import { renderReceipt } from "../../terminal/render/render-receipt";
import type { Terminal } from "../../terminal/terminal";

/** Options of `stemma search`. */
export interface SearchCommandOptions extends ServiceCommandOptions {
	/** Ids, slugs or names; none: all that the credential may read. */
	readonly kb: readonly string[];
	/** Default: the service's. */
	readonly topK?: number;
	/** Prints passages whole. */
	readonly full: boolean;
}

const HINTS = {
	no_knowledge_bases: CREATE_KNOWLEDGE_BASE,
	knowledge_base_not_found: '"stemma kb list" lists them.',
};

/** Prints the passages that a question finds, without asking a model for an answer. */
export async function search(
	terminal: Terminal,
	argument: string | undefined,
	options: SearchCommandOptions,
): Promise<void> {
	const query = await readQuestion(terminal, argument, 'stemma search "parental leave"');
	const found = await withService(options, (stemma) =>
		withHints(HINTS, async () => {
			const chosen = await resolveKnowledgeBases(stemma.knowledge, options.kb);
			const selection = chosen.length > 0 ? { knowledge_base_ids: chosen } : {};
			return stemma.search({ query, ...selection, ...omitUndefined({ top_k: options.topK }) });
		}),
	);
	print(terminal, options, found, () => renderFound(terminal, found, options));
	if (found.more_knowledge_bases === true)
		report(terminal, "note", "Only the 100 oldest knowledge bases were searched. Choose others with --kb.");
}

function renderFound(
	terminal: Terminal,
	{ passages, receipt }: SearchResult,
	{ full: isFull }: SearchCommandOptions,
): string {
	const text =
		passages.length === 0 ? "Nothing was found.\n" : renderPassages(passages, terminal, { isFull });
	return text + renderReceipt(receipt, terminal);
}
