import type { RunRecord } from "@stemma/client";
import type { RunResult, RunStatus } from "@stemma/core";
import { quote } from "@stemma/core/internal";
import { readAfter, readWaitMs } from "@stemma/protocol";
import { pollEvents } from "@stemma/runs";
import * as z from "zod";
import { findHiddenItems } from "../../access/hidden-items";
import { DomainError } from "../../errors/domain-error";
import { requireCaller } from "../../http/auth/authenticate";
import { readQuery } from "../../http/body/read-json";
import { describeRoute } from "../../http/describe-route";
import { wantsStream } from "../../http/event-stream";
import { respondWithPage } from "../../http/pagination";
import type { ServiceApp, ServiceContext } from "../../http/service-context";
import { toDocumentLinks, toScope } from "../../http/to-scope";
import { isRunToken } from "../../runs/run-token";
import { readResult, type StoredRun, toRunRecord } from "../../runs/stored-run";
import { canSeeInput, seesAllRuns, toVisibleResult, visibilityOf } from "../../runs/visibility";
import { findVisibleRun } from "../../runs/visible-run";
import { timeSchema } from "../../validation/time-schema";
import { userIdField } from "../people/people-fields";
import { findThreadReference, respondWithEvents, toVisibleEvents } from "./run-responses";

const STATUSES = ["running", "completed", "failed", "cancelled", "paused"] as const satisfies readonly (
	| RunStatus
	| "running"
)[];

const listQuery = z.strictObject({
	agent_id: z.string().optional(),
	status: z.enum(STATUSES).optional(),
	user_id: userIdField.optional(),
	since: timeSchema.optional(),
	until: timeSchema.optional(),
});

const eventsQuery = z.strictObject({ wait_ms: z.string().optional() });

const described = {
	list: describeRoute({
		summary: "List runs",
		query: listQuery,
		isList: true,
		responses: { 200: "RunPage" },
	}),
	get: describeRoute({
		summary: "Get a run",
		responses: { 200: "RunRecord" },
		errors: ["run_not_found"],
	}),
	read: describeRoute({
		summary: "Read or follow the events of a run",
		query: eventsQuery.extend({ after: z.string().optional() }),
		responses: { 200: { "application/json": "EventPage", "text/event-stream": "WireRunEvent" } },
		errors: ["run_not_found"],
	}),
	cancel: describeRoute({
		summary: "Cancel a run",
		responses: { 200: "RunRecord" },
		errors: ["run_not_found", "run_ended"],
	}),
};

/** `/v1/runs`: what became of runs, their events, and the end of those under way. */
export function addRunRoutes(app: ServiceApp): void {
	const requireRun = requireCaller({ scopes: ["agents:run"], clientKeys: true });
	// Whoever approves sees what is approved.
	const requireRead = requireCaller({ scopes: ["agents:run", "runs:approve"], clientKeys: true });

	app.get("/v1/runs", described.list, requireCaller({ scopes: ["agents:run", "runs:approve"] }), (context) =>
		respondWithPage(context, {
			query: listQuery,
			async list(page, { agent_id, status, user_id, since, until }) {
				const { store } = context.get("workspace");
				const caller = context.get("caller");
				const startedBy = seesAllRuns(caller) ? user_id : caller.id;
				// Runs of others are not there for who sees their own.
				if (user_id !== undefined && user_id !== startedBy) return [];
				const { agentIds: withoutAgents, visibleTo } = await findHiddenItems(toScope(context));
				const runs = await store.runs.list({
					...{ ...page, agent: agent_id, status, since, until, startedBy },
					...{ withoutAgents, visibleTo },
				});
				return runs.map((run) => toRunRecord(run));
			},
			cursorOf: ({ id }) => id,
		}),
	);

	app.get("/v1/runs/:id", described.get, requireRead, async (context) =>
		context.json(await describeRun(context, await getRun(context))),
	);

	app.get("/v1/runs/:id/events", described.read, requireRun, async (context) => {
		const run = await getRun(context);
		const after = readAfter(context.req.header("last-event-id"), context.req.query("after"));
		if (wantsStream(context)) return respondWithEvents(context, run, after);
		const { wait_ms } = readQuery(context, eventsQuery);
		const { runs } = context.get("workspace");
		const data = await pollEvents((signal) => runs.watch(run.id, after, signal), {
			waitMs: readWaitMs(wait_ms),
			signal: context.req.raw.signal,
			select: (events) => toVisibleEvents(context, events),
		});
		const done = isDone(await getRun(context), data.at(-1)?.seq, after);
		// Events are JSON already; the page is written around them.
		const page = `{"data":[${data.map(({ json }) => json).join(",")}],"done":${done}}`;
		return context.body(page, 200, { "content-type": "application/json" });
	});

	app.post("/v1/runs/:id/cancel", described.cancel, requireRun, async (context) => {
		const { id } = await getRun(context);
		await context.get("workspace").runs.cancel(id);
		return context.json(await describeRun(context, await getRun(context)));
	});
}

/** Checks whether no events follow these. A caller who asks for events after a pause waits for them. */
function isDone({ status, last_seq }: StoredRun, read: number | undefined, after: number): boolean {
	if (status === "running") return false;
	return status === "paused" ? read === last_seq : (read ?? after) >= last_seq;
}

/** Describes a run as its caller sees it, with its result unless it is running. */
export async function describeRun(context: ServiceContext, run: StoredRun): Promise<RunRecord> {
	const { runs } = context.get("workspace").store;
	const result: RunResult | undefined = run.status === "running" ? undefined : await readResult(runs, run);
	const caller = context.get("caller");
	const inputs = canSeeInput(caller, run) ? await runs.findInputs(run.id) : undefined;
	const visible = result && toVisibleResult(result, visibilityOf(caller));
	const record = toRunRecord(run, visible && toDocumentLinks(context).linkCitations(visible), inputs);
	return { ...record, ...(await findThreadReference(context, run)) };
}

/**
 * The run that a request names; of someone else, it is not there for a client key.
 *
 * @throws DomainError `run_not_found`.
 */
export const getRun = (context: ServiceContext): Promise<StoredRun> =>
	getRunById(context, context.req.param("id") ?? "");

/** The run of an id; see {@link getRun}. */
export async function getRunById(context: ServiceContext, id: string): Promise<StoredRun> {
	const caller = context.get("caller");
	const hasToken = (): boolean =>
		isRunToken(context.req.header("stemma-run-token"), id, context.get("kernel").fingerprint);
	const run = await findVisibleRun(
		{ caller, workspace: context.get("workspace") },
		id,
		({ started_by }) => started_by === caller.id && (caller.kind === "user" || hasToken()),
	);
	if (run !== undefined) return run;
	throw new DomainError("run_not_found", `There is no run ${quote(id)}.`, {
		hint:
			caller.kind !== "client_key"
				? "GET /v1/runs lists the runs that you can see."
				: "A client key reaches the runs that it started, with the header stemma-run-token.",
	});
}
