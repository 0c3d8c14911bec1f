import { type Command, Option } from "commander";
import { type SearchCommandOptions, search } from "../../commands/knowledge/search";
import type { Terminal } from "../../terminal/terminal";
import { addConnectionOptions, CONNECTION_NOTES } from "../options/connection-options";
import { collect, parseWholeNumber } from "../options/option-values";

/** Adds the command `stemma search`, its options and its help. */
export function addSearch(program: Command, terminal: Terminal): void {
	const command = program
		.command("search")
		.description("find passages of documents, without an answer")
		.argument("[words]", "words or a question; if omitted, they are read from a pipe")
		.addOption(
			new Option("--kb <slug or id>", "where to search; repeat it for several, omit it for all")
				.argParser(collect)
				.default([], "all"),
		)
		.addOption(
			new Option("--top-k <number>", "maximum number of passages (default: 8)").argParser(
				parseWholeNumber(1, 100),
			),
		)
		.option("--full", "print passages whole, not only their beginning", false)
		.option("--json", "print what was found as one JSON object", false);
	addConnectionOptions(command)
		.addHelpText("after", `\n${NOTES}`)
		.action((words: string | undefined, options: SearchCommandOptions) => search(terminal, words, options));
}

const NOTES = `The best passage comes first, with its document, its score as a share of the best one, and where it is: knowledge base, file, page, sheet
and cells, slide, chapter, heading. --json has the scores as the service gives them; they can be compared only within one search.

${CONNECTION_NOTES}
They need the scope ask.

Exit codes: 0 done (also if nothing was found), 1 failed or wrong input.

Examples:
  stemma search "parental leave" --kb handbook
  stemma search "fee for late payment" --kb contracts --kb handbook --top-k 3 --full
  stemma search "parental leave" --json`;
