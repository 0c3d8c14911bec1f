import type { CreatedRunShare, RunShare, RunShareField, Stemma } from "@stemma/client";
import { omitUndefined } from "@stemma/core/internal";
import { listAll, toPageSize } from "../../connection/list-all";
import { withHints } from "../../connection/with-hints";
import {
	type ConnectionOptions,
	type ServiceCommandOptions,
	withService,
} from "../../connection/with-service";
import { print, printTable, report } from "../../terminal/print";
import type { Terminal } from "../../terminal/terminal";

/** Options of `stemma runs share`. */
export interface ShareRunOptions extends ServiceCommandOptions {
	readonly show: readonly RunShareField[];
	readonly hours?: number;
}

/** Options of `stemma runs shares`. */
export interface ListSharesOptions extends ServiceCommandOptions {
	readonly limit: number;
	/** `run_…` */
	readonly run?: string;
}

const HINTS: Readonly<Record<string, string>> = {
	run_not_found: '"stemma runs list" lists the runs of this workspace.',
	run_not_ended: 'Wait until it has ended: "stemma runs show <run>".',
	share_not_found: '"stemma runs shares" lists the links that are valid.',
	too_many_shares:
		'"stemma runs shares --run <run>" lists them, and "stemma runs unshare <link>" revokes one.',
};

const withShares = <Result>(
	options: ConnectionOptions,
	work: (stemma: Stemma) => Promise<Result>,
): Promise<Result> => withHints(HINTS, () => withService(options, work));

/** Makes a link to a run, and prints it. */
export async function shareRun(
	terminal: Terminal,
	runId: string,
	{ show: fields, hours, ...options }: ShareRunOptions,
): Promise<void> {
	const request = { fields, ...omitUndefined({ expires_in_hours: hours }) };
	const created: CreatedRunShare = await withShares(options, ({ runs }) =>
		runs.shares.create(runId, request),
	);
	print(terminal, options, created, () => `${created.link}\n`);
	const { id, expires_at } = created;
	report(
		terminal,
		"note",
		`Whoever has the link sees ${fields.join(", ")} of the run, until ${expires_at}. It is shown only once; "stemma runs unshare ${id}" revokes it.`,
	);
}

export async function listShares(terminal: Terminal, options: ListSharesOptions): Promise<void> {
	const { limit, run } = options;
	const filter = omitUndefined({ limit: toPageSize(limit), run_id: run });
	const found = await withShares(options, ({ runs }) => listAll(runs.shares.list(filter), limit));
	printTable(terminal, options, found, { header: HEADER, toCells, empty: "There are no valid links." });
}

const HEADER = ["ID", "RUN", "SHOWS", "MADE BY", "VALID UNTIL", "OPENED"];

const toCells = ({ id, run_id, fields, created_by, expires_at, views }: RunShare): string[] => [
	id,
	run_id,
	fields.join(","),
	created_by,
	expires_at,
	String(views),
];

/** Revokes a link. */
export async function unshareRun(
	terminal: Terminal,
	shareId: string,
	options: ServiceCommandOptions,
): Promise<void> {
	const deleted = await withShares(options, ({ runs }) => runs.shares.delete(shareId));
	print(terminal, options, deleted, () => `Revoked ${deleted.id}: the link is no longer valid.\n`);
}
