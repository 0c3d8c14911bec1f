import type { AgentVersionSummary, Stemma } from "@stemma/client";
import { type AgentGraph, compareAgents } from "@stemma/core";
import { FULL_PAGES, listAll } from "../../connection/list-all";
import { withHints } from "../../connection/with-hints";
import { type ServiceCommandOptions, withService } from "../../connection/with-service";
import { explainChanges } from "../../explain/explain-changes";
import { renderBlocks } from "../../explain/wrap-text";
import { print, printTable } from "../../terminal/print";
import { sanitizeLine, style, type Terminal } from "../../terminal/terminal";
import { getColumns } from "../../terminal/text/wrap-columns";

/** Options of `stemma agents restore`. */
export interface RestoreAgentOptions extends ServiceCommandOptions {
	/** Reason for it. Default: none. */
	readonly note?: string;
}

const HINTS = {
	agent_not_found: '"stemma agents list" lists them.',
	agent_version_not_found: '"stemma agents versions <agent>" lists those that are kept: the newest 100.',
	agent_changed: "Look at the newest version first: stemma agents versions <agent>",
};

const withAgents = <Result>(
	options: ServiceCommandOptions,
	work: (agents: Stemma["agents"]) => Promise<Result>,
): Promise<Result> => withHints(HINTS, () => withService(options, ({ agents }) => work(agents)));

/** Prints the versions of an agent, the newest first. */
export async function listAgentVersions(
	terminal: Terminal,
	agent: string,
	options: ServiceCommandOptions,
): Promise<void> {
	const all = await withAgents(options, ({ versions }) => listAll(versions.list(agent, FULL_PAGES)));
	printTable(terminal, options, all, { header: ["VERSION", "STORED", "BY", "NAME", "NOTE"], toCells });
}

const toCells = ({
	number,
	created_at,
	created_by,
	name,
	note,
	restored_from,
}: AgentVersionSummary): string[] => [
	String(number),
	created_at.slice(0, 16).replace("T", " "),
	created_by ?? "unknown",
	name ?? "",
	[...(restored_from === null ? [] : [`restores ${restored_from}`]), ...(note === null ? [] : [note])].join(
		": ",
	),
];

/** Stores the graph of a version as the newest one, unless the agent is changed meanwhile. */
export async function restoreAgent(
	terminal: Terminal,
	agent: string,
	number: number,
	{ note, ...options }: RestoreAgentOptions,
): Promise<void> {
	const [before, restored] = await withAgents(options, async ({ get, versions }) => {
		const { id, version } = await get(agent);
		return [version, await versions.restore(id, number, { version, ...(note !== undefined && { note }) })];
	});
	const slug = sanitizeLine(restored.slug);
	print(terminal, options, restored, () =>
		restored.version === before
			? `Unchanged: ${slug} has the graph of version ${number} (version ${before}).\n`
			: `Restored version ${number} of ${slug} as version ${restored.version}.\n`,
	);
}

/** Prints what differs between two versions of an agent: by default between one and the newest. */
export async function diffAgentVersions(
	terminal: Terminal,
	agent: string,
	[from, to]: readonly [from: number, to: number | undefined],
	options: ServiceCommandOptions,
): Promise<void> {
	const [before, after] = await withAgents(options, async ({ get, versions }) => {
		const readGraph = async (number: number): Promise<AgentGraph> =>
			(await versions.get(agent, number)).graph;
		return [await readGraph(from), to === undefined ? (await get(agent)).graph : await readGraph(to)];
	});
	const comparison = compareAgents(before, after);
	print(terminal, options, comparison, () => {
		const blocks = explainChanges(comparison);
		if (blocks.length === 0) return "No difference.\n";
		const { stdout } = terminal;
		const width = stdout.isTTY ? getColumns(stdout) : Number.POSITIVE_INFINITY;
		return renderBlocks(blocks, { width, paint: (format, text) => style(stdout, format, text) });
	});
}
