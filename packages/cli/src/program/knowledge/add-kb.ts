import type { Command } from "commander";
import {
	type CreateKnowledgeBaseOptions,
	createKnowledgeBase,
	type DeleteKnowledgeBaseOptions,
	deleteKnowledgeBase,
	listKnowledgeBases,
	showKnowledgeBase,
	type UpdateKnowledgeBaseOptions,
	updateKnowledgeBase,
} from "../../commands/knowledge/knowledge-bases";
import { type ReindexOptions, reindexKnowledgeBase } from "../../commands/knowledge/reindex";
import type { ServiceCommandOptions } from "../../connection/with-service";
import type { Terminal } from "../../terminal/terminal";
import type { CommandResult } from "../command-result";
import { CONNECTION_NOTES } from "../options/connection-options";
import { type AddCommand, addServiceCommands } from "../options/service-command";

/** Adds the command `stemma kb`, its options and its help. */
export function addKb(program: Command, terminal: Terminal, result: CommandResult): void {
	const { add } = addServiceCommands(program, {
		name: "kb",
		description: "knowledge bases of a service: list, show, create, update, reindex, delete",
		notes: NOTES,
	});
	add("list", "list them with the numbers of their documents and passages").action(
		(options: ServiceCommandOptions) => listKnowledgeBases(terminal, options),
	);
	add("show", "print how many documents are ready, and how it is searched")
		.argument("<knowledge base>", KNOWLEDGE_BASE)
		.action((idOrName: string, options: ServiceCommandOptions) =>
			showKnowledgeBase(terminal, idOrName, options),
		);
	add("create", "create an empty one")
		.argument("<name>", "its name, which no other has")
		.option("--slug <slug>", "its slug (default: made from the name)")
		.option("--description <text>", "what it holds, for people")
		.action((name: string, options: CreateKnowledgeBaseOptions) =>
			createKnowledgeBase(terminal, name, options),
		);
	add("update", "change its name, slug or description")
		.argument("<knowledge base>", KNOWLEDGE_BASE)
		.option("--name <name>", "its new name, for people")
		.option("--slug <slug>", "its new slug: agents that name the old one have to be changed")
		.option("--description <text>", "what it holds, for people")
		.option("--force", "change the slug though agents name the old one", false)
		.action((idOrName: string, options: UpdateKnowledgeBaseOptions) =>
			updateKnowledgeBase(terminal, idOrName, options),
		);
	addReindex(add, terminal, result);
	add("delete", "delete it with all its documents, permanently")
		.argument("<knowledge base>", KNOWLEDGE_BASE)
		.option("--yes", "do not ask", false)
		.option("--force", "delete it though agents name it", false)
		.action((idOrName: string, options: DeleteKnowledgeBaseOptions) =>
			deleteKnowledgeBase(terminal, idOrName, options),
		);
}

function addReindex(add: AddCommand, terminal: Terminal, result: CommandResult): void {
	add("reindex", "move it to another embedding model, and back")
		.argument("<knowledge base>", KNOWLEDGE_BASE)
		.option("--to <model>", "the embedding model, or none (default: the one that the service has configured)")
		.option("--dry-run", "print the plan: passages, tokens, who pays; start nothing", false)
		.option("--undo", "move back to the vectors before the last move", false)
		.option("--status", "print how far a move is", false)
		.option("--drop", "cancel a move, or delete the former vectors that a completed one keeps", false)
		.option("--no-wait", "do not wait until it is completed")
		.addHelpText("after", `\n${REINDEX_NOTES}`)
		.action(async (idOrName: string, options: ReindexOptions) => {
			result.exitCode = await reindexKnowledgeBase(terminal, idOrName, options);
		});
}

const KNOWLEDGE_BASE = "its slug, id (kb_…) or name";

const REINDEX_NOTES = `It prints a plan, then moves in the background: searches use the former vectors (or words, if their model is no longer configured) until all passages have new ones, then all of them change at once. Documents that are uploaded meanwhile are found by words at first. If the service restarts, the move continues. If the payer would change, or the vendor refuses, it pauses and says why; the same command resumes it. The former vectors are kept for 7 days.
It needs the scopes knowledge:write and settings:write.

Examples:
  stemma kb reindex handbook --dry-run
  stemma kb reindex handbook
  stemma kb reindex handbook --to none
  stemma kb reindex handbook --undo`;

const NOTES = `A knowledge base is a set of documents that is searched together. Its slug, such as "handbook", is what agent files and commands call it. "stemma ingest" fills it from a folder, and creates it with --create.
"stemma docs" shows its documents.

${CONNECTION_NOTES}
They need the scope knowledge:read, and knowledge:write to create, update or delete.

Exit codes: 0 done, 1 failed or wrong input.

Examples:
  stemma kb list
  stemma kb show handbook
  stemma kb create "Employee handbook" --slug handbook --description "Rules for employees"
  stemma kb update handbook --slug rules
  stemma kb delete handbook`;
