import { type Command, InvalidArgumentError, Option } from "commander";
import {
	type AddSourceOptions,
	addSource,
	type DeleteSourceOptions,
	deleteSource,
	listSources,
	type SourceCommandOptions,
	type SyncSourceOptions,
	showSource,
	syncSource,
	type UpdateSourceOptions,
	updateSource,
} from "../../commands/knowledge/sources";
import { SOURCE_KINDS, type SourceKind } from "../../sources/source-settings";
import type { Terminal } from "../../terminal/terminal";
import type { CommandResult } from "../command-result";
import { CONNECTION_NOTES } from "../options/connection-options";
import { collect, parseWholeNumber } from "../options/option-values";
import { type AddCommand, addServiceCommands } from "../options/service-command";

/** Adds the command `stemma sources`, its options and its help. */
export function addSources(program: Command, terminal: Terminal, result: CommandResult): void {
	const { add: addCommand } = addServiceCommands(program, {
		name: "sources",
		description: "sources of a knowledge base, which bring in documents and keep them up to date",
		notes: NOTES,
	});
	const add: AddCommand = (name, description) =>
		addCommand(name, description).requiredOption("--kb <slug or id>", "the knowledge base");
	add("list", "list them, with their last sync; failed ones with their error").action(
		(options: SourceCommandOptions) => listSources(terminal, options),
	);
	add("show", "print all that is known of one, with the report of its last sync")
		.argument("<source>", SOURCE)
		.action((source: string, options: SourceCommandOptions) => showSource(terminal, source, options));
	addAdd(add, terminal, result);
	add("sync", "bring its documents up to date now")
		.argument("<source>", SOURCE)
		.option("--wait", WAIT, false)
		.option("--force", "delete all of its documents if it has none any more", false)
		.option("--cancel", "cancel the sync that is queued or running", false)
		.action(async (source: string, options: SyncSourceOptions) => {
			result.exitCode = await syncSource(terminal, source, options);
		});
	add("update", "change its name, secret or schedule")
		.argument("<source>", SOURCE)
		.option("--name <name>", "another name")
		.option("--secret <name>", 'another secret of the workspace, or "none"')
		.addOption(new Option("--every <minutes>", 'minutes between syncs, or "never"').argParser(parseSchedule))
		.action((source: string, options: UpdateSourceOptions) => updateSource(terminal, source, options));
	add("delete", "delete one with its documents, permanently")
		.argument("<source>", SOURCE)
		.option("--keep-documents", "keep its documents, as if they had been uploaded", false)
		.option("--yes", "do not ask", false)
		.action((source: string, options: DeleteSourceOptions) => deleteSource(terminal, source, options));
}

const SOURCE = "its id (src_…) or name";
const WAIT = "wait for the end of the sync and print its report";
const MIN_MINUTES = 5;
const MAX_MINUTES = 525_600;

function addAdd(add: AddCommand, terminal: Terminal, result: CommandResult): void {
	add("add", "add one; its first sync starts at once")
		.argument("<kind>", `what it is: ${SOURCE_KINDS.join(", ")}`, parseKind)
		.argument("<location>", "an address, s3://<bucket>/<prefix>, or a folder on the service's machine")
		.option("--name <name>", "name of the source (default: the location)")
		.option("--secret <name>", "secret of the workspace that is sent, stored for the server's origin")
		.addOption(
			new Option("--every <minutes>", "minutes between syncs (default: by request alone)").argParser(
				parseWholeNumber(MIN_MINUTES, MAX_MINUTES),
			),
		)
		.option("--include <pattern>", "only items that match; may be given several times", collectPattern)
		.option("--exclude <pattern>", "no items that match; may be given several times", collectPattern)
		.addOption(
			new Option("--depth <number>", "site: links to follow from the first page").argParser(
				parseWholeNumber(0, 20),
			),
		)
		.addOption(
			new Option("--pages <number>", "site: maximum number of pages").argParser(parseWholeNumber(1, 10_000)),
		)
		.addOption(
			new Option("--delay-ms <milliseconds>", "site: pause between two requests (default: 200)").argParser(
				parseWholeNumber(0, 60_000),
			),
		)
		.option("--ref <name>", "git: branch, tag or commit")
		.option("--path <folder>", "git: folder in the repository")
		.addOption(
			new Option("--host <software>", "git: software of a server of your own").choices([
				...["github", "gitlab", "gitea", "bitbucket"],
			]),
		)
		.option("--archive <url>", "git: address of a .tar.gz or .zip archive, with {ref} for the ref")
		.option("--region <name>", "s3: region of the bucket")
		.option("--endpoint <url>", "s3: address of a server that is not AWS")
		.option("--virtual-host", "s3: the bucket is a part of the host name at --endpoint, too")
		.option("--wait", WAIT, false)
		.action(async (kind: SourceKind, location: string, options: AddSourceOptions) => {
			result.exitCode = await addSource(terminal, kind, location, options);
		});
}

const collectPattern = (text: string, all: readonly string[] = []): string[] => collect(text, all);

function parseKind(text: string): SourceKind {
	const kind = SOURCE_KINDS.find((known) => known === text);
	if (kind === undefined) throw new InvalidArgumentError(`Expected one of ${SOURCE_KINDS.join(", ")}.`);
	return kind;
}

const parseSchedule = (text: string): number | "never" =>
	text === "never" ? text : parseWholeNumber(MIN_MINUTES, MAX_MINUTES)(text);

const NOTES = `A sync adds what is new, reads again what has changed, and deletes what is gone.
Documents that were uploaded are never touched. A folder must be one that the operator
of the service allows ("sources.folders" in its configuration).

${CONNECTION_NOTES}
They need the scope knowledge:read, and knowledge:write to change anything.

Exit codes: 0 done, 1 failed or wrong input; with --wait also if the sync or an item failed.

Examples:
  stemma sources add url https://docs.example.com/fees.pdf --kb handbook --every 60
  stemma sources add folder /srv/handbook --kb handbook --exclude drafts --wait
  stemma sources list --kb handbook
  stemma sources sync /srv/handbook --kb handbook --wait
  stemma sources update /srv/handbook --kb handbook --name Handbook --every never
  stemma sources delete Handbook --kb handbook --keep-documents`;
