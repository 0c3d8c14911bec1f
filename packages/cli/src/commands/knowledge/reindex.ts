import type { Knowledge, Reindex, ReindexRequest } from "@stemma/client";
import { ConfigurationError } from "@stemma/core/errors";
import { omitUndefined } from "@stemma/core/internal";
import { withHints } from "../../connection/with-hints";
import { type ServiceCommandOptions, withService } from "../../connection/with-service";
import { describeEnd, formatPlan, formatReindex } from "../../knowledge-bases/format-reindex";
import { readKnowledgeBase } from "../../knowledge-bases/resolve-knowledge-base";
import { waitForReindex } from "../../knowledge-bases/wait-for-reindex";
import { print } from "../../terminal/print";
import type { Terminal } from "../../terminal/terminal";

/** Options of `stemma kb reindex`. */
export interface ReindexOptions extends ServiceCommandOptions {
	/** Model, or `none`. Default: the one that the service has configured. */
	readonly to?: string;
	readonly undo: boolean;
	readonly dryRun: boolean;
	readonly status: boolean;
	/** Cancels a move, or drops the former vectors. */
	readonly drop: boolean;
	readonly wait: boolean;
}

const HINTS = {
	knowledge_base_not_found: '"stemma kb list" lists them.',
	reindex_not_found: '"stemma kb reindex <knowledge base> --dry-run" prints the plan of a move.',
	reindex_running: '"stemma kb reindex <knowledge base> --drop" cancels it.',
	reindex_not_needed:
		'"stemma kb show" prints how it is searched. Ask the operator to configure another model.',
	payer_changed: "Run the command again to see the new plan.",
};

/** Moves a knowledge base to another embedding space, or shows its move. Returns the exit code. */
export function reindexKnowledgeBase(
	terminal: Terminal,
	idOrName: string,
	options: ReindexOptions,
): Promise<number> {
	assertOneAction(options);
	return withService(options, ({ knowledge }) =>
		withHints(HINTS, async () => {
			const { id, slug } = await readKnowledgeBase(knowledge, idOrName);
			if (options.status) return show(terminal, options, await knowledge.reindexes.get(id));
			if (options.drop) return drop(terminal, options, knowledge, id);
			return move(terminal, options, knowledge, { id, slug });
		}),
	);
}

/** @throws ConfigurationError */
function assertOneAction({ to, undo, dryRun, status, drop }: ReindexOptions): void {
	if (to !== undefined && undo) throw new ConfigurationError("Give --to or --undo, not both.");
	const others = to !== undefined || undo || dryRun;
	if ((status && drop) || ((status || drop) && others))
		throw new ConfigurationError("--status and --drop stand alone.", { hint: "Give one of them." });
}

function show(terminal: Terminal, options: ReindexOptions, reindex: Reindex): number {
	print(terminal, options, reindex, () => formatReindex(reindex));
	return reindex.status === "paused" ? 1 : 0;
}

async function drop(
	terminal: Terminal,
	options: ReindexOptions,
	{ reindexes }: Knowledge,
	id: string,
): Promise<number> {
	const before = await reindexes.get(id);
	const dropped = await reindexes.drop(id);
	const text =
		before.status === "completed" ? "The former vectors are being deleted.\n" : "The move is cancelled.\n";
	print(terminal, options, dropped, () => text);
	return 0;
}

async function move(
	terminal: Terminal,
	options: ReindexOptions,
	knowledge: Knowledge,
	{ id, slug }: { readonly id: string; readonly slug: string },
): Promise<number> {
	const { reindexes } = knowledge;
	const request: ReindexRequest = {
		...omitUndefined({ to: options.to }),
		...(options.undo && { undo: true }),
	};
	const plan = await reindexes.plan(id, request);
	if (options.dryRun) {
		print(terminal, options, plan, () => formatPlan(slug, plan));
		return 0;
	}
	if (!options.json) terminal.stdout.write(formatPlan(slug, plan));
	const started = await reindexes.start(id, { ...request, payer: plan.payer });
	const ended = options.wait ? await waitForReindex(terminal, knowledge, id) : started;
	print(terminal, options, ended, () => describeEnd(ended));
	return ended.status === "paused" ? 1 : 0;
}
