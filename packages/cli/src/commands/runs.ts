import type { Json, RunListOptions, RunRecord, Stemma } from "@stemma/client";
import { demandOnlyApproval } from "../approvals/demand-only-approval";
import { describeCall } from "../approvals/describe-call";
import { listFirst } from "../connection/list-first";
import { withHints } from "../connection/with-hints";
import { type ConnectionOptions, withService } from "../connection/with-service";
import { renderReceipt } from "../terminal/render-receipt";
import { renderSources } from "../terminal/render-sources";
import { formatTable } from "../terminal/table";
import { type Terminal, withoutControls } from "../terminal/terminal";

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
	readonly reason?: string;
}

const LARGEST_PAGE = 100;

export async function listRuns(terminal: Terminal, options: ListRunsOptions): Promise<void> {
	const { limit, agent, status, json } = options;
	const filter = {
		limit: Math.min(limit, LARGEST_PAGE),
		...(agent === undefined ? {} : { agent_id: agent }),
		...(status === undefined ? {} : { status }),
	};
	const found = await withService(options, ({ runs }) => listFirst(runs.list(filter), limit));
	terminal.stdout.write(json ? `${JSON.stringify(found)}\n` : formatRuns(found));
}

const HEADER = ["ID", "AGENT", "STATUS", "STARTED", "ENDED"];

const formatRuns = (found: readonly RunRecord[]): string =>
	found.length === 0 ? "There are no such runs.\n" : formatTable([HEADER, ...found.map(toCells)]);

const toCells = ({ id, agent_slug, agent_version, status, created_at, ended_at }: RunRecord): string[] => [
	id,
	withoutControls(`${agent_slug} (version ${agent_version})`),
	status,
	created_at,
	ended_at ?? "",
];

export async function showRun(terminal: Terminal, runId: string, options: RunsCommandOptions): Promise<void> {
	const run = await inService(options, ({ runs }) => runs.get(runId));
	terminal.stdout.write(options.json ? `${JSON.stringify(run)}\n` : formatRun(run, terminal));
}

function formatRun(run: RunRecord, terminal: Terminal): string {
	const { result } = run;
	const head = formatTable([HEADER, toCells(run)]);
	if (result === undefined) return head;
	const { output, error, citations, receipt } = result;
	return [
		head,
		output === null ? "" : `\n${withoutControls(toText(output))}\n`,
		error === undefined ? "" : `\n${withoutControls(`${error.code}: ${error.message}`)}\n`,
		formatApprovals(run),
		renderSources(citations, () => undefined, terminal),
		renderReceipt(receipt, terminal),
	].join("");
}

const toText = (output: Json): string =>
	typeof output === "string" ? output : JSON.stringify(output, null, 2);

/** With the command lines that decide on them. */
function formatApprovals({ id, result }: RunRecord): string {
	const open = result?.approvals ?? [];
	if (open.length === 0) return "";
	const lines = open.map(
		(approval) =>
			`  ${describeCall(approval)}\n    until ${approval.expires_at}: stemma runs approve ${id} ${approval.id}\n`,
	);
	return `\nWaits for ${open.length === 1 ? "an approval" : "approvals"}\n${lines.join("")}`;
}

/** Decides on an approval; without its id on the only one that is open. */
export async function decideRun(
	terminal: Terminal,
	decision: "approve" | "deny",
	{ runId, approvalId }: { readonly runId: string; readonly approvalId: string | undefined },
	options: DecideOptions,
): Promise<void> {
	const { reason, json } = options;
	const run = await inService(options, async ({ runs }) => {
		const id = approvalId ?? demandOnlyApproval(runId, (await runs.get(runId)).result?.approvals ?? []);
		return runs.decide(runId, id, { decision, ...(reason === undefined ? {} : { reason }) });
	});
	const done = decision === "approve" ? "Approved" : "Denied";
	terminal.stdout.write(json ? `${JSON.stringify(run)}\n` : `${done}. The run is ${run.status}.\n`);
}

export async function cancelRun(
	terminal: Terminal,
	runId: string,
	options: RunsCommandOptions,
): Promise<void> {
	const run = await inService(options, ({ runs }) => runs.cancel(runId));
	terminal.stdout.write(options.json ? `${JSON.stringify(run)}\n` : `The run is ${run.status}.\n`);
}

const inService = <Result>(
	options: ConnectionOptions,
	work: (stemma: Stemma) => Promise<Result>,
): Promise<Result> => withHints(HINTS, () => withService(options, work));

const HINTS: Readonly<Record<string, string>> = {
	run_not_found: '"stemma runs list" has the runs of this workspace.',
	approval_not_found: '"stemma runs show <run>" has those that wait.',
	approval_decided: '"stemma runs show <run>" tells how the run went on.',
	approval_expired: "It counts as denied, and the run went on with that. Start the run again.",
};
