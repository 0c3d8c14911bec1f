import type { Approval, RunListOptions, RunRecord, Stemma } from "@stemma/client";
import { omitUndefined } from "@stemma/core/internal";
import { describeCall } from "../../approvals/describe-call";
import { type DecisionRequest, selectApproval } from "../../approvals/select-approval";
import { listAll, toPageSize } from "../../connection/list-all";
import { withHints } from "../../connection/with-hints";
import {
	type ConnectionOptions,
	type ServiceCommandOptions,
	withService,
} from "../../connection/with-service";
import { print, printTable } from "../../terminal/print";
import { renderRunRecord } from "../../terminal/render/render-run-record";
import type { Terminal } from "../../terminal/terminal";
import { formatTable } from "../../terminal/text/table";
import { getColumns } from "../../terminal/text/wrap-columns";

/** Options of `stemma runs list`. */
export interface ListRunsOptions extends ServiceCommandOptions {
	readonly limit: number;
	/** An id or a slug. */
	readonly agent?: string;
	readonly status?: NonNullable<RunListOptions["status"]>;
}

export interface DecideOptions extends ServiceCommandOptions {
	readonly reason?: string;
}

export async function listRuns(terminal: Terminal, options: ListRunsOptions): Promise<void> {
	const { limit, agent, status } = options;
	const filter = omitUndefined({ limit: toPageSize(limit), agent_id: agent, status });
	const found = await withService(options, ({ runs }) => listAll(runs.list(filter), limit));
	printTable(terminal, options, found, { header: HEADER, toCells, empty: "No runs were found." });
}

const HEADER = ["ID", "AGENT", "STATUS", "STARTED", "ENDED"];

const toCells = ({ id, agent_slug, agent_version, status, created_at, ended_at }: RunRecord): string[] => [
	id,
	`${agent_slug} (version ${agent_version})`,
	status,
	created_at,
	ended_at ?? "",
];

export interface ShowRunOptions extends ServiceCommandOptions {
	/** Calls that wait are printed whole, however long they are. */
	readonly full: boolean;
}

export async function showRun(terminal: Terminal, runId: string, options: ShowRunOptions): Promise<void> {
	const run = await withRunHints(options, ({ runs }) => runs.get(runId));
	const { full: isFull } = options;
	print(terminal, options, run, () =>
		[formatTable([HEADER, toCells(run)]), renderRunRecord(run, terminal, { isFull })].join(""),
	);
}

/** Decides on an approval; an only one may be denied without its id. Prints the call that was decided. */
export async function decideRun(
	terminal: Terminal,
	request: DecisionRequest,
	{ reason, json, ...connection }: DecideOptions,
): Promise<void> {
	const { decision, runId } = request;
	const { run, call, id } = await withRunHints(connection, async ({ runs }) => {
		const open = (await runs.get(runId)).result?.approvals ?? [];
		const id = selectApproval(request, open, getColumns(terminal.stderr));
		const run = await runs.decide(runId, id, { decision, ...omitUndefined({ reason }) });
		return { run, id, call: open.find((approval) => approval.id === id) };
	});
	const done = decision === "approve" ? "Approved" : "Denied";
	const output = json ? terminal.stderr : terminal.stdout;
	output.write(`${done}: ${call === undefined ? `${id}\n` : formatCall(call, getColumns(output))}`);
	print(terminal, { json }, run, () => `The run is ${run.status}.\n`);
}

function formatCall(call: Approval, columns: number): string {
	const { title, rows, size } = describeCall(call, { columns });
	return `${title}\n${rows}  ${size}\n`;
}

export async function cancelRun(
	terminal: Terminal,
	runId: string,
	options: ServiceCommandOptions,
): Promise<void> {
	const run = await withRunHints(options, ({ runs }) => runs.cancel(runId));
	print(terminal, options, run, () => `The run is ${run.status}.\n`);
}

const withRunHints = <Result>(
	options: ConnectionOptions,
	work: (stemma: Stemma) => Promise<Result>,
): Promise<Result> => withHints(HINTS, () => withService(options, work));

const HINTS: Readonly<Record<string, string>> = {
	run_not_found: '"stemma runs list" lists the runs of this workspace.',
	approval_not_found: '"stemma runs show <run>" lists the open approvals.',
	approval_decided: '"stemma runs show <run>" shows how the run continued.',
	approval_expired: "It counts as denied, and the run continued without the call. Start the run again.",
};
