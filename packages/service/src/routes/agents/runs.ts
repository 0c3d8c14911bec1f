import type { RunRecord } from "@stemma/client";
import type { RunResult, RunStatus } from "@stemma/core";
import { quote } from "@stemma/core/internal";
import { readAfter, readWaitMs } from "@stemma/protocol";
import { pollEvents } from "@stemma/runs";
import * as z from "zod";
import { DomainError } from "../../errors/domain-error";
import { requireCaller } from "../../http/auth/authenticate";
import { readQuery } from "../../http/body/read-json";
import { wantsStream } from "../../http/event-stream";
import { respondWithPage } from "../../http/pagination";
import type { ServiceApp, ServiceContext } from "../../http/service-context";
import { findRun, listRuns, type RunRow, readInput, readResult, toRunRecord } from "../../runs/run-rows";
import { isRunToken } from "../../runs/run-token";
import { canSeeInput, toVisibleResult, visibilityOf } from "../../runs/visibility";
import { respondWithEvents, toVisibleEvents } from "./run-responses";

const STATUSES = ["running", "completed", "failed", "cancelled", "paused"] as const satisfies readonly (
	| RunStatus
	| "running"
)[];

const listQuery = z.strictObject({
	agent_id: z.string().optional(),
	status: z.enum(STATUSES).optional(),
});

const eventsQuery = z.strictObject({ wait_ms: z.string().optional() });

/** `/v1/runs`: what became of runs, their events, and the end of those under way. */
export function addRunRoutes(app: ServiceApp): void {
	const requireRun = requireCaller({ scopes: ["agents:run"], clientKeys: true });
	// Whoever approves sees what is approved.
	const requireRead = requireCaller({ scopes: ["agents:run", "runs:approve"], clientKeys: true });

	app.get("/v1/runs", requireCaller({ scopes: ["agents:run", "runs:approve"] }), (context) =>
		respondWithPage(context, {
			query: listQuery,
			async list(page, { agent_id, status }) {
				const rows = await listRuns(context.get("workspace").database, {
					...page,
					agentId: agent_id,
					status,
				});
				return rows.map((row) => toRunRecord(row));
			},
			cursorOf: ({ id }) => id,
		}),
	);

	app.get("/v1/runs/:id", requireRead, async (context) =>
		context.json(await describeRun(context, await getRun(context))),
	);

	app.get("/v1/runs/:id/events", requireRun, async (context) => {
		const row = await getRun(context);
		const after = readAfter(context.req.header("last-event-id"), context.req.query("after"));
		if (wantsStream(context)) return respondWithEvents(context, row, after);
		const { wait_ms } = readQuery(context, eventsQuery);
		const { runs } = context.get("workspace");
		const data = await pollEvents((signal) => runs.watch(row.id, after, signal), {
			waitMs: readWaitMs(wait_ms),
			signal: context.req.raw.signal,
			select: (events) => toVisibleEvents(context, events),
		});
		const done = isDone(await getRun(context), data.at(-1)?.seq, after);
		// Events are JSON already; the page is written around them.
		const page = `{"data":[${data.map(({ json }) => json).join(",")}],"done":${done}}`;
		return context.body(page, 200, { "content-type": "application/json" });
	});

	app.post("/v1/runs/:id/cancel", requireRun, async (context) => {
		const { id } = await getRun(context);
		await context.get("workspace").runs.cancel(id);
		return context.json(await describeRun(context, await getRun(context)));
	});
}

/** Checks whether no events follow these. A caller who asks for events after a pause waits for them. */
function isDone({ status, last_seq }: RunRow, read: number | undefined, after: number): boolean {
	if (status === "running") return false;
	return status === "paused" ? read === last_seq : (read ?? after) >= last_seq;
}

/** A run as its caller sees it, with its result once it does not move. */
export async function describeRun(context: ServiceContext, row: RunRow): Promise<RunRecord> {
	const { database } = context.get("workspace");
	const result: RunResult | undefined =
		row.status === "running" ? undefined : await readResult(database, row);
	const caller = context.get("caller");
	const inputs = canSeeInput(caller, row) ? await readInput(database, row.id) : undefined;
	return toRunRecord(row, result && toVisibleResult(result, visibilityOf(caller)), inputs);
}

/**
 * The run that a request names; of someone else, it is not there for a client key.
 *
 * @throws DomainError `run_not_found`.
 */
export async function getRun(context: ServiceContext): Promise<RunRow> {
	const id = context.req.param("id") ?? "";
	const caller = context.get("caller");
	const row = await findRun(context.get("workspace").database, id);
	const isOwn =
		caller.kind === "client" ||
		(row?.started_by === caller.id &&
			isRunToken(context.req.header("stemma-run-token"), id, context.get("kernel").fingerprint));
	if (row !== undefined && isOwn) return row;
	throw new DomainError("run_not_found", `There is no run ${quote(id)}.`, {
		hint:
			caller.kind === "client"
				? "GET /v1/runs lists the runs of the workspace."
				: "A client key reaches the runs that it started, with the header stemma-run-token.",
	});
}
