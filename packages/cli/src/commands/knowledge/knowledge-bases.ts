import type { Knowledge, KnowledgeBase } from "@stemma/client";
import { ConfigurationError } from "@stemma/core/errors";
import { omitUndefined } from "@stemma/core/internal";
import { withHints } from "../../connection/with-hints";
import {
	type ConnectionOptions,
	type ServiceCommandOptions,
	withService,
} from "../../connection/with-service";
import { CREATE_KNOWLEDGE_BASE } from "../../knowledge-bases/find-knowledge-base";
import { listAllKnowledgeBases, readKnowledgeBase } from "../../knowledge-bases/resolve-knowledge-base";
import { confirm } from "../../terminal/input/confirm";
import { print, printTable, report } from "../../terminal/print";
import { sanitizeLine, type Terminal } from "../../terminal/terminal";
import { count } from "../../terminal/text/count";
import { formatTable } from "../../terminal/text/table";

/** Options of `stemma kb create`. */
export interface CreateKnowledgeBaseOptions extends ServiceCommandOptions {
	readonly description?: string;
	/** Default: made from the name. */
	readonly slug?: string;
}

/** Options of `stemma kb update`. What is left out stays as it is. */
export interface UpdateKnowledgeBaseOptions extends ServiceCommandOptions {
	readonly name?: string;
	readonly slug?: string;
	readonly description?: string;
	readonly force: boolean;
}

/** Options of `stemma kb delete`. */
export interface DeleteKnowledgeBaseOptions extends ServiceCommandOptions {
	readonly yes: boolean;
	readonly force: boolean;
}

const HINTS = {
	knowledge_base_not_found: '"stemma kb list" lists them.',
	knowledge_base_in_use:
		"Push these agents with another knowledge base first, or add --force: their runs fail then.",
	slug_taken: 'Choose another slug; "stemma kb list" shows those in use.',
};

const withKnowledge = <Result>(
	options: ConnectionOptions,
	work: (knowledge: Knowledge) => Promise<Result>,
): Promise<Result> => withService(options, ({ knowledge }) => withHints(HINTS, () => work(knowledge)));

export async function listKnowledgeBases(terminal: Terminal, options: ServiceCommandOptions): Promise<void> {
	const all = await withKnowledge(options, listAllKnowledgeBases);
	printTable(terminal, options, all, {
		header: ["SLUG", "NAME", "DOCUMENTS", "FAILED", "PASSAGES", "CREATED", "ID"],
		toCells,
		empty: `There is no knowledge base yet. ${CREATE_KNOWLEDGE_BASE}`,
	});
}

const toCells = ({ id, slug, name, documents, passage_count, created_at }: KnowledgeBase): string[] => [
	slug,
	name,
	documents.total.toLocaleString("en-US"),
	documents.failed.toLocaleString("en-US"),
	passage_count.toLocaleString("en-US"),
	created_at.slice(0, 10),
	id,
];

export async function showKnowledgeBase(
	terminal: Terminal,
	idOrName: string,
	options: ServiceCommandOptions,
): Promise<void> {
	const found = await withKnowledge(options, (knowledge) => readKnowledgeBase(knowledge, idOrName));
	print(terminal, options, found, () => formatTable(toRows(found)));
	if (found.embedding?.in_use === false)
		report(
			terminal,
			"note",
			`The deployment makes no vectors of ${sanitizeLine(found.embedding.model)} now, so that words alone find passages. Next: stemma kb reindex ${found.slug}`,
		);
	if (found.documents.failed > 0)
		report(
			terminal,
			"note",
			`"stemma docs list --kb ${found.slug} --status failed" shows why documents failed.`,
		);
}

const toRows = (found: KnowledgeBase): string[][] => {
	const { documents, embedding, description, llm_provider, llm_model } = found;
	const model = [llm_provider, llm_model].filter((part) => part !== null).join(" ");
	return [
		["slug", found.slug],
		["name", found.name],
		["id", found.id],
		...(description === null ? [] : [["description", description]]),
		["documents", describeDocuments(documents)],
		["passages", found.passage_count.toLocaleString("en-US")],
		["found by", describeFinding(embedding)],
		...(model === "" ? [] : [["answered by", model]]),
		["created", found.created_at],
		["updated", found.updated_at],
	];
};

function describeFinding(embedding: KnowledgeBase["embedding"]): string {
	if (embedding === null) return "words";
	return embedding.in_use
		? `words, and vectors of ${embedding.model}`
		: `words; its vectors of ${embedding.model} are not in use`;
}

/** `75: 74 ready, 1 failed` */
function describeDocuments({ total, ...counts }: KnowledgeBase["documents"]): string {
	const parts = (["ready", "processing", "queued", "failed"] as const)
		.filter((status) => counts[status] > 0)
		.map((status) => `${counts[status].toLocaleString("en-US")} ${status}`);
	return [total.toLocaleString("en-US"), ...(parts.length > 0 ? [parts.join(", ")] : [])].join(": ");
}

export async function createKnowledgeBase(
	terminal: Terminal,
	name: string,
	options: CreateKnowledgeBaseOptions,
): Promise<void> {
	const { description, slug } = options;
	const created = await withKnowledge(options, async (knowledge) => {
		assertNameIsFree(name, await listAllKnowledgeBases(knowledge));
		return knowledge.create({ name, ...omitUndefined({ slug, description }) });
	});
	print(terminal, options, created, () => `Created ${describeNames(created)}.\n`);
}

/** `handbook ("Rules for employees", kb_…)` */
const describeNames = ({ slug, name, id }: KnowledgeBase): string =>
	slug === name ? `${slug} (${id})` : `${slug} ("${sanitizeLine(name)}", ${id})`;

export async function updateKnowledgeBase(
	terminal: Terminal,
	idOrName: string,
	options: UpdateKnowledgeBaseOptions,
): Promise<void> {
	const { name, slug, description, force } = options;
	const change = omitUndefined({ name, slug, description });
	if (Object.keys(change).length === 0)
		throw new ConfigurationError("Nothing is to be changed.", {
			hint: "Give --name, --slug or --description.",
		});
	const updated = await withKnowledge(options, async (knowledge) => {
		const { id } = await readKnowledgeBase(knowledge, idOrName);
		return knowledge.update(id, change, { force });
	});
	print(terminal, options, updated, () => `Updated ${describeNames(updated)}.\n`);
}

/**
 * The service lets several have one name. Commands that take a name could not tell them apart.
 *
 * @throws ConfigurationError `name_taken`
 */
function assertNameIsFree(name: string, all: readonly KnowledgeBase[]): void {
	const other = all.find((one) => one.name === name);
	if (other === undefined) return;
	throw new ConfigurationError(`There is a knowledge base "${sanitizeLine(name)}" already (${other.id}).`, {
		code: "name_taken",
		hint: 'Use it, or choose another name; "stemma kb list" shows those in use.',
	});
}

export async function deleteKnowledgeBase(
	terminal: Terminal,
	idOrName: string,
	options: DeleteKnowledgeBaseOptions,
): Promise<void> {
	const [found, deleted] = await withKnowledge(options, async (knowledge) => {
		const base = await readKnowledgeBase(knowledge, idOrName);
		await confirm(terminal, {
			question: `The knowledge base ${describeNames(base)} is deleted for good, with ${count(base.documents.total, "document")}.`,
			word: base.slug,
			isConfirmed: options.yes,
		});
		return [base, await knowledge.delete(base.id, { force: options.force })];
	});
	const documents = count(found.documents.total, "document");
	const text = `Deleted ${describeNames(found)} with ${documents}.\n`;
	print(terminal, options, deleted, () => text);
}
