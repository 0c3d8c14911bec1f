import { READABLE_FORMATS } from "@stemma/documents";
import type { Command } from "commander";
import { type IngestCommandOptions, ingest } from "../../commands/knowledge/ingest";
import type { Terminal } from "../../terminal/terminal";
import type { CommandResult } from "../command-result";
import { addConnectionOptions, CONNECTION_NOTES } from "../options/connection-options";
import { collect } from "../options/option-values";

/** Adds the command `stemma ingest`, its options and its help. */
export function addIngest(program: Command, terminal: Terminal, result: CommandResult): void {
	const command = program
		.command("ingest")
		.description("bring a knowledge base of a service up to date with a folder of documents")
		.argument("<folder or file...>", "folders, read with all their subfolders, or single files")
		.requiredOption("--kb <slug or id>", "the knowledge base")
		.option("--create", "create the knowledge base if there is none", false)
		.option("--prune", "remove documents that are no longer in the folder, or are now empty", false)
		.option("--skip-unreadable", "continue without documents that cannot be read", false)
		.option("--follow-links", "follow symbolic links that lead out of the folder", false)
		.option("--include-generated", "read lock files and minified files, too", false)
		.option(
			"--extension <name>",
			"read files such as .dwg, too, by a reader of the service",
			collectExtension,
		)
		.option("--json", "print what was done as one JSON object", false);
	addConnectionOptions(command)
		.addHelpText("after", `\n${NOTES}`)
		.action(async (paths: string[], options: IngestCommandOptions) => {
			result.exitCode = await ingest(terminal, paths, options);
		});
}

const collectExtension = (text: string, all: readonly string[] = []): string[] =>
	collect(text.replace(/^\./, "").toLowerCase(), all);

const NOTES = `Documents are ${READABLE_FORMATS}. Each is known by its path within the folder, a single file by its name: the same path again replaces the document. Only what has
changed is uploaded. If it is interrupted, nothing is lost: run the same command again to continue. It ends when all documents can be
searched. --prune keeps what has no path, such as text that a program has added, and what came through a symbolic link that is not
followed.

${CONNECTION_NOTES}

Files that only a program or server of the service's operator reads ("readers" in its configuration) are named by --extension,
which may be given several times.

The summary names what was skipped: files of other formats, hidden files and folders, node_modules, lock files of package
managers and minified files (--include-generated reads them), the data folder of a service,
symbolic links to files that are read anyway, and those that lead out of the folder (--follow-links reads them, too). A document without
text is a note. A document that cannot be read is named with its reason, and the others continue; with --skip-unreadable that is not a
failure.

Exit codes: 0 all documents can be searched, 1 some cannot be read or wrong input, 130 stopped with Ctrl-C.

Examples:
  stemma ingest ./handbook --kb handbook --create
  stemma ingest ./handbook --kb handbook --prune
  stemma ingest ./plans --kb plans --extension dwg --extension dxf
  stemma ingest ./handbook/leave.md ./handbook/pay.md --kb handbook --json`;
