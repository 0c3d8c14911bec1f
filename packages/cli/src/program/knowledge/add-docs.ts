import { type Command, Option } from "commander";
import {
	type DeleteDocumentsOptions,
	type DocumentCommandOptions,
	deleteDocuments,
	type ListDocumentsOptions,
	listDocuments,
	type OpenDocumentOptions,
	openDocument,
	printDocumentText,
	retryDocuments,
	showDocument,
} from "../../commands/knowledge/documents";
import type { Terminal } from "../../terminal/terminal";
import type { CommandResult } from "../command-result";
import { CONNECTION_NOTES } from "../options/connection-options";
import { parseWholeNumber } from "../options/option-values";
import { type AddCommand, addServiceCommands } from "../options/service-command";

/** Adds the command `stemma docs`, its options and its help. */
export function addDocs(program: Command, terminal: Terminal, result: CommandResult): void {
	const { add: addCommand } = addServiceCommands(program, {
		name: "docs",
		description: "documents of a knowledge base: list, show, print, save, retry, delete",
		notes: NOTES,
	});
	const add: AddCommand = (name, description) =>
		addCommand(name, description).requiredOption("--kb <slug or id>", "the knowledge base");
	add("list", "list them, the oldest first; failed ones with their error")
		.addOption(new Option("--status <status>", "only documents with this status").choices(STATUSES))
		.addOption(
			new Option("--limit <number>", "maximum number of documents (default: all)").argParser(
				parseWholeNumber(1, 1_000_000),
			),
		)
		.action((options: ListDocumentsOptions) => listDocuments(terminal, options));
	add("show", "print all that is known of one: status, format, size; why it failed and what to do")
		.argument("<document>", DOCUMENT)
		.action((document: string, options: DocumentCommandOptions) => showDocument(terminal, document, options));
	add("text", "print its text as it was read, which passages are cut from")
		.argument("<document>", DOCUMENT)
		.action((document: string, options: DocumentCommandOptions) =>
			printDocumentText(terminal, document, options),
		);
	add("open", "save its file as it was uploaded, or print it to a pipe")
		.argument("<document>", DOCUMENT)
		.option("--out <file or folder>", "where to save it (default: standard output)")
		.option("--force", "replace an existing file", false)
		.action((document: string, options: OpenDocumentOptions) => openDocument(terminal, document, options));
	add("retry", "read failed documents again, from the files that the service has, and wait for them")
		.argument("[document...]", `${DOCUMENT}; if omitted, all that failed`)
		.action(async (documents: string[], options: DocumentCommandOptions) => {
			result.exitCode = await retryDocuments(terminal, documents, options);
		});
	add("delete", "delete documents with their passages, permanently")
		.argument("<document...>", DOCUMENT)
		.option("--yes", "do not ask", false)
		.action((documents: string[], options: DeleteDocumentsOptions) =>
			deleteDocuments(terminal, documents, options),
		);
}

const STATUSES = ["queued", "processing", "ready", "failed"];

const DOCUMENT = 'its id (doc_…) or source, which is its path where "stemma ingest" uploaded it';

const NOTES = `"list" names each document by its source, else by its title. "open --json" needs --out.

${CONNECTION_NOTES}
They need the scope knowledge:read, and knowledge:write to retry or delete.

Exit codes: 0 done, 1 failed or wrong input, or a document failed again, 130 "retry" was stopped with Ctrl-C.

Examples:
  stemma docs list --kb handbook
  stemma docs list --kb handbook --status failed
  stemma docs show scans/contract.pdf --kb handbook
  stemma docs text leave.md --kb handbook > leave.txt
  stemma docs open fees.xlsx --kb handbook --out .
  stemma docs retry --kb handbook
  stemma docs delete leave.md fees.xlsx --kb handbook`;
