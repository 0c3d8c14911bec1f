import { basename, extname } from "node:path";
import { type Agents, ApiError, type StoredAgent, type StoredAgentSummary } from "@stemma/client";
import { ConfigurationError } from "@stemma/core/errors";
import { closestName } from "@stemma/core/internal";
import { readAgentFile } from "../../agent-file/read-agent-file";
import { FULL_PAGES, listAll } from "../../connection/list-all";
import { type ServiceCommandOptions, withService } from "../../connection/with-service";
import { confirm } from "../../terminal/input/confirm";
import { print, printTable } from "../../terminal/print";
import { sanitizeLine, sanitizeText, type Terminal } from "../../terminal/terminal";

/** Options of `stemma agents push`. */
export interface PushAgentOptions extends ServiceCommandOptions {
	/** Default: the name of the file. */
	readonly slug?: string;
	/** Reason for the change. Default: none. */
	readonly note?: string;
}

/** Options of `stemma agents delete`. */
export interface DeleteAgentOptions extends ServiceCommandOptions {
	readonly yes: boolean;
}

export async function listAgents(terminal: Terminal, options: ServiceCommandOptions): Promise<void> {
	const all = await withService(options, ({ agents }) => listAll(agents.list(FULL_PAGES)));
	printTable(terminal, options, all, {
		header: ["SLUG", "NAME", "VERSION", "UPDATED", "ID"],
		toCells,
		empty: "There are no agents yet. Store one from an agent file: stemma agents push <file>",
	});
}

const toCells = ({ slug, name, version, updated_at, id }: StoredAgentSummary): string[] => [
	slug,
	name ?? "",
	String(version),
	updated_at.slice(0, 10),
	id,
];

/** Stores an agent file under its slug: as a new agent, or as the next version of the one that has it. */
export async function pushAgent(terminal: Terminal, file: string, options: PushAgentOptions): Promise<void> {
	const graph = await readAgentFile(file);
	const slug = options.slug ?? basename(file, extname(file));
	const [before, stored] = await withService(options, async ({ agents }) => {
		const found = await findAgent(agents, slug);
		const change = { graph, ...(options.note !== undefined && { note: options.note }) };
		return [
			found,
			await (found === undefined ? agents.create({ slug, ...change }) : agents.replace(found.id, change)),
		];
	});
	const isUnchanged = before?.version === stored.version;
	const done = before === undefined ? "Created" : isUnchanged ? "Unchanged:" : "Updated";
	print(
		terminal,
		options,
		stored,
		() => `${done} ${sanitizeLine(stored.slug)} (version ${stored.version}).\n`,
	);
}

/** Prints the graph of an agent as an agent file. */
export async function pullAgent(
	terminal: Terminal,
	idOrSlug: string,
	options: ServiceCommandOptions,
): Promise<void> {
	const stored = await withService(options, ({ agents }) => getAgent(agents, idOrSlug));
	const text = `${JSON.stringify(stored.graph, null, 2)}\n`;
	print(terminal, options, stored, () => (terminal.stdout.isTTY ? sanitizeText(text) : text));
}

export async function deleteAgent(
	terminal: Terminal,
	idOrSlug: string,
	options: DeleteAgentOptions,
): Promise<void> {
	const [found, deleted] = await withService(options, async ({ agents }) => {
		const { id, slug } = await getAgent(agents, idOrSlug);
		await confirm(terminal, {
			question: `The agent "${sanitizeLine(slug)}" (${id}) is deleted for good.`,
			word: sanitizeLine(slug),
			isConfirmed: options.yes,
		});
		return [{ id, slug }, await agents.delete(id)];
	});
	print(terminal, options, deleted, () => `Deleted ${sanitizeLine(found.slug)} (${found.id}).\n`);
}

async function findAgent(agents: Agents, idOrSlug: string): Promise<StoredAgent | undefined> {
	try {
		return await agents.get(idOrSlug);
	} catch (error) {
		if (ApiError.is(error) && error.code === "agent_not_found") return undefined;
		throw error;
	}
}

/** @throws ConfigurationError `agent_not_found`, with what was probably meant. */
async function getAgent(agents: Agents, idOrSlug: string): Promise<StoredAgent> {
	const found = await findAgent(agents, idOrSlug);
	if (found !== undefined) return found;
	const all = await listAll(agents.list(FULL_PAGES));
	const meant = closestName(
		idOrSlug,
		all.map(({ slug }) => slug),
	);
	const suggestion = meant === undefined ? "" : ` Did you mean "${meant}"?`;
	throw new ConfigurationError(`There is no agent "${sanitizeLine(idOrSlug)}".${suggestion}`, {
		code: "agent_not_found",
		hint: '"stemma agents list" lists them.',
	});
}
