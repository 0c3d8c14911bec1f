import type { EventPage } from "@stemma/client";
import { quote, sleep } from "@stemma/core/internal";
import {
	acceptsEvents,
	EVENT_STREAM_HEADERS,
	readAfter,
	readDepth,
	readIdempotencyKey,
	readWaitMs,
} from "@stemma/protocol";
import { type ActiveRuns, type EventRecord, pollEvents, type RunChangeListener } from "@stemma/runs";
import { readTraceHeaders } from "@stemma/telemetry";
import type { AgentCatalog } from "../../agents/catalog";
import { createIdempotentRuns, toFingerprint } from "../../runs/idempotency";
import type { Run } from "../../runs/run";
import type { RunRegistry } from "../../runs/run-registry";
import { HttpError } from "../http-error";
import {
	type HttpRequest,
	type HttpResponse,
	jsonResponse,
	jsonTextResponse,
	type RunEvents,
} from "../http-exchange";
import { requireEmptyBody } from "../request/read-json-body";
import { readRunRequest } from "../request/run-request";
import { findAgent } from "./find-agent";
import type { StartRun } from "./start-run";

/** Routes that start, follow and cancel runs. */
export interface RunRoutes {
	startRun(request: HttpRequest, agentId: string): Promise<HttpResponse>;
	readEvents(request: HttpRequest, runId: string): Promise<HttpResponse>;
	cancelRun(request: HttpRequest, runId: string): Promise<HttpResponse>;
}

export interface RunRoutesOptions {
	readonly catalog: () => AgentCatalog;
	readonly registry: RunRegistry;
	readonly startRun: StartRun;
}

/** A cancelled run usually ends at once; the answer waits so long to tell it. */
const CANCEL_WAIT_MS = 2_000;

/** The routes that start, follow and cancel runs. */
export function createRunRoutes({ catalog, registry, startRun }: RunRoutesOptions): RunRoutes {
	const { active } = registry;
	const idempotentRuns = createIdempotentRuns();
	registry.onEvict(idempotentRuns.forget);
	const findRun = (id: string): Run => getRun(registry, id);

	function streamRun(run: Run, after: number): HttpResponse {
		getEvents(run, after);
		return { status: 200, headers: EVENT_STREAM_HEADERS, body: { run, active, after } };
	}

	return {
		async startRun(request, agentId) {
			const depth = readDepth(request.header("stemma-depth"));
			const key = readIdempotencyKey(request.header("idempotency-key"));
			const { run: input, stream = acceptsEvents(request.header("accept")) } = await readRunRequest(request);
			const entry = findAgent(catalog(), agentId);
			const traceContext = readTraceHeaders((name) => request.header(name));
			const start = (): Promise<Run> => startRun(entry, input, depth, traceContext);
			const run =
				key === undefined
					? await start()
					: await idempotentRuns.startOnce(key, toFingerprint(entry.id, input), start);
			if (run === "conflict") throw conflict();
			return stream ? streamRun(run, 0) : respondWithResult(run, active, request);
		},
		async readEvents(request, runId) {
			const run = findRun(runId);
			const query = new URLSearchParams(request.query);
			const after = readAfter(request.header("last-event-id"), query.get("after"));
			if (acceptsEvents(request.header("accept"))) return streamRun(run, after);
			const waitMs = readWaitMs(query.get("wait_ms"));
			return respondWithPage(run, await readPage({ run, active, after }, waitMs, request));
		},
		async cancelRun(request, runId) {
			await requireEmptyBody(request);
			const run = findRun(runId);
			await Promise.race([registry.cancel(run), sleep(CANCEL_WAIT_MS)]);
			return jsonResponse(run.toRecord());
		},
	};
}

/** @throws HttpError for a run that is not there, or not any more. */
export function getRun(registry: Pick<RunRegistry, "find">, id: string): Run {
	const run = registry.find(id);
	if (run === undefined) throw new HttpError(404, `There is no run ${quote(id)}.`, { code: "run_not_found" });
	if (run === "evicted") throw expired("The run ended more than 10 minutes ago, and was deleted.");
	return run;
}

/** Reads the events after a number, and waits for the next ones where there are none. */
async function readPage(
	{ run, active, after }: RunEvents,
	waitMs: number,
	request: HttpRequest,
): Promise<readonly EventRecord[]> {
	const events = getEvents(run, after);
	if (events.length > 0 || run.result !== undefined || waitMs === 0) {
		// Whoever asks watches, also without waiting: the time of being unwatched begins anew.
		active.touch(run.id);
		return events;
	}
	const waiting = new AbortController();
	const stopListening = request.onDisconnect(() => waiting.abort());
	const watch = (signal: AbortSignal) => active.watchEvents(run.id, after, signal);
	return pollEvents(watch, { waitMs, signal: waiting.signal }).finally(stopListening);
}

/** Waits for the end or a pause, and watches the run as long as the client waits. */
async function respondWithResult(
	run: Run,
	active: ActiveRuns<Run>,
	request: HttpRequest,
): Promise<HttpResponse> {
	const watcher: RunChangeListener = { onChange: () => undefined };
	const unwatch = (): void => active.unwatch(run.id, watcher);
	active.watch(run.id, watcher);
	const stop = request.onDisconnect(unwatch);
	await run.settled();
	stop();
	unwatch();
	return jsonTextResponse(run.resultJson);
}

/** @throws HttpError 410 `events_expired` where the first of them were deleted. */
export function getEvents(run: Run, after: number): readonly EventRecord[] {
	const events = run.log.after(after);
	if (events === undefined)
		throw expired("The run's first events were deleted, because its log grew over 4 MB.", run);
	return events;
}

/** Events are JSON already; the page is written around them. */
function respondWithPage(run: Run, events: readonly EventRecord[]): HttpResponse {
	const last = events.at(-1);
	// Whoever asks for what comes behind a pause waits for it.
	const done: EventPage["done"] =
		run.result !== undefined || (last?.type === "run.paused" && last.seq === run.log.lastSeq);
	return jsonTextResponse(`{"data":[${events.map(({ json }) => json).join(",")}],"done":${done}}`);
}

const expired = (message: string, run?: Run): HttpError =>
	new HttpError(410, message, {
		code: "events_expired",
		...(run?.result === undefined ? {} : { details: { result: JSON.parse(run.resultJson) } }),
	});

const conflict = (): HttpError =>
	new HttpError(409, "The Idempotency-Key was used for another request.", {
		code: "idempotency_conflict",
		hint: "Use a new key for each new request, and the same key only to repeat a request.",
	});
