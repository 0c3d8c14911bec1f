import type { Approval, RunListOptions, RunRecord, Stemma } from "@stemma/client";
import { describeCall } from "../approvals/describe-call";
import { type DecisionRequest, selectApproval } from "../approvals/select-approval";
import { listFirst } from "../connection/list-first";
import { withHints } from "../connection/with-hints";
import { type ConnectionOptions, withService } from "../connection/with-service";
import { renderRunRecord } from "../terminal/render/render-run-record";
import { sanitizeText, type Terminal } from "../terminal/terminal";
import { formatJson } from "../terminal/text/format-json";
import { formatTable } from "../terminal/text/table";
import { getColumns } from "../terminal/text/wrap-columns";

/** Options of `stemma runs`: list, show, approve, deny and cancel runs of a service. */
export interface RunsCommandOptions extends ConnectionOptions {
	readonly json: boolean;
}

export interface ListRunsOptions extends RunsCommandOptions {
	readonly limit: number;
	/** An id or a slug. */
	readonly agent?: string;
	readonly status?: NonNullable<RunListOptions["status"]>;
}

export interface DecideOptions extends RunsCommandOptions {
	/** Reason of a denial. */
	readonly reason?: string;
}

const MAX_PAGE_SIZE = 100;

export async function listRuns(terminal: Terminal, options: ListRunsOptions): Promise<void> {
	const { limit, agent, status, json } = options;
	const filter = {
		limit: Math.min(limit, MAX_PAGE_SIZE),
		...(agent === undefined ? {} : { agent_id: agent }),
		...(status === undefined ? {} : { status }),
	};
	const found = await withService(options, ({ runs }) => listFirst(runs.list(filter), limit));
	terminal.stdout.write(json ? `${formatJson(found)}\n` : formatRuns(found));
}

const HEADER = ["ID", "AGENT", "STATUS", "STARTED", "ENDED"];

const formatRuns = (found: readonly RunRecord[]): string =>
	found.length === 0 ? "No runs were found.\n" : formatTable([HEADER, ...found.map(toCells)]);

const toCells = ({ id, agent_slug, agent_version, status, created_at, ended_at }: RunRecord): string[] => [
	id,
	sanitizeText(`${agent_slug} (version ${agent_version})`),
	status,
	created_at,
	ended_at ?? "",
];

export interface ShowRunOptions extends RunsCommandOptions {
	/** Calls that wait are printed whole, however long they are. */
	readonly full: boolean;
}

export async function showRun(terminal: Terminal, runId: string, options: ShowRunOptions): Promise<void> {
	const run = await withRunHints(options, ({ runs }) => runs.get(runId));
	const text = (): string =>
		formatTable([HEADER, toCells(run)]) + renderRunRecord(run, terminal, { isFull: options.full });
	terminal.stdout.write(options.json ? `${formatJson(run)}\n` : text());
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
		const run = await runs.decide(runId, id, { decision, ...(reason === undefined ? {} : { reason }) });
		return { run, id, call: open.find((approval) => approval.id === id) };
	});
	const done = decision === "approve" ? "Approved" : "Denied";
	const output = json ? terminal.stderr : terminal.stdout;
	output.write(`${done}: ${call === undefined ? `${id}\n` : formatCall(call, getColumns(output))}`);
	terminal.stdout.write(json ? `${formatJson(run)}\n` : `The run is ${run.status}.\n`);
}

function formatCall(call: Approval, columns: number): string {
	const { title, rows, size } = describeCall(call, { columns });
	return `${title}\n${rows}  ${size}\n`;
}

export async function cancelRun(
	terminal: Terminal,
	runId: string,
	options: RunsCommandOptions,
): Promise<void> {
	const run = await withRunHints(options, ({ runs }) => runs.cancel(runId));
	terminal.stdout.write(options.json ? `${formatJson(run)}\n` : `The run is ${run.status}.\n`);
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
