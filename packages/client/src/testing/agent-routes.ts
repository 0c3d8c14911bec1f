import type { Json, JsonObject, RunResult } from "@stemma/core";
import { toAnswerEvent, toAnswerResult } from "@stemma/core/internal";
import type { RunRecord, WireRunEvent } from "../types/run";
import type { FakeRequest } from "./fake-request";
import {
	type EventStreamResponse,
	errorResponse,
	type FakeResponse,
	jsonResponse,
	type RequestHandler,
} from "./fake-response";
import type { FakeRoutes } from "./fake-routes";
import { FakeRun } from "./fake-run";
import type { FakeThreadAnswer, FakeThreads, FakeTurn } from "./fake-threads";
import { KeyedRuns } from "./keyed-runs";
import { withDocumentUrls } from "./scripts/fill";
import type { RunScript } from "./scripts/script";

/** Options of the fake routes that run agents, of a service and of a runtime. */
export interface AgentRoutesOptions {
	/** The script for the next run of an agent. */
	readonly nextScript: (agent: string) => RunScript | undefined;
	readonly handleUnscripted: RequestHandler;
	/** A client key sees the answer alone, and needs the run's token. */
	readonly isClientKey: boolean;
	readonly now: () => number;
	readonly threads: FakeThreads;
}

interface RunBody {
	readonly input: Json;
	readonly context?: JsonObject;
	readonly background?: boolean;
}

/** Runs of agents, under the routes of the service and those of a runtime. */
export function addAgentRoutes(routes: FakeRoutes, options: AgentRoutesOptions): void {
	const runs = new AgentRuns(options);
	routes.on("POST /v1/agents/:agent/run", runs.handleRun);
	routes.on("POST /run/:agent", runs.handleRun);
	routes.on("GET /v1/runs", runs.list);
	routes.on("GET /v1/runs/:id", runs.get);
	for (const prefix of ["/v1", ""]) {
		routes.on(`GET ${prefix}/runs/:id/events`, runs.handleEvents);
		routes.on(`POST ${prefix}/runs/:id/cancel`, runs.cancel);
	}
}

/** The runs of a fake, and its replies to requests about them. */
class AgentRuns {
	readonly #options: AgentRoutesOptions;
	readonly #runs = new Map<string, FakeRun>();
	readonly #keyedRuns = new KeyedRuns();

	constructor(options: AgentRoutesOptions) {
		this.#options = options;
	}

	/** Starts the next run of an agent. Returns `undefined` where it has no script, and an error where the service would. */
	#start(
		request: FakeRequest,
		agent: string,
		{ input, context = {}, background: isBackground = false }: RunBody,
	): FakeRun | FakeResponse | undefined {
		const { nextScript, now, threads } = this.#options;
		const turn = threads.append(request, input);
		if (turn !== undefined && "kind" in turn) return turn;
		const script = nextScript(agent);
		if (script === undefined) return undefined;
		const number = this.#runs.size + 1;
		const runInput = turn === undefined ? input : toTurnInput(turn);
		const options = { number, agent, input: runInput, context, isBackground, script, now };
		const run = new FakeRun({ ...options, reference: turn?.reference });
		this.#runs.set(run.id, run);
		this.#keyedRuns.add(request, run);
		turn?.answerWith(() => this.#toAnswer(run));
		return run;
	}

	/** The answer of a run, as its message shows it. */
	#toAnswer(run: FakeRun): FakeThreadAnswer {
		const { result } = this.#toRecord(run);
		const { isClientKey } = this.#options;
		const ids = { run_id: run.id, ...(isClientKey && { run_token: run.token }) };
		if (result === undefined) return { ...ids, status: "in_progress" };
		const { status, output, citations, receipt, error } = result;
		return {
			...ids,
			status: status === "paused" ? "waiting" : status,
			text: output === null ? "" : typeof output === "string" ? output : JSON.stringify(output),
			citations,
			...(!isClientKey && { receipt }),
			...(error && { error }),
		};
	}

	readonly handleRun: RequestHandler = async (request, params) => {
		const { agent = "" } = params;
		const existing = this.#keyedRuns.find(request);
		if (existing === "conflict") return keyConflict;
		// It was checked.
		const body = request.call.body as RunBody;
		const run = existing ?? this.#start(request, agent, body);
		if (run === undefined) return this.#options.handleUnscripted(request, params);
		if ("kind" in run) return run;
		if (request.wantsStream) return this.#toEventStream(run, 0);
		if (body.background === true) return jsonResponse({ ...toStarted(run), run_token: run.token }, 202);
		await run.log.at(Number.POSITIVE_INFINITY);
		return jsonResponse({ ...this.#toRecord(run).result, run_token: run.token });
	};

	#toEventStream(run: FakeRun, after: number): EventStreamResponse {
		return { kind: "events", next: this.#createReader(run, after) };
	}

	/** The events after a seq that this caller sees, one by one. */
	#createReader({ log, token }: FakeRun, after: number): () => Promise<WireRunEvent | undefined> {
		let index = log.events.filter(({ seq }) => seq <= after).length;
		return async () => {
			for (;;) {
				const event = await log.at(index);
				if (event === undefined) return undefined;
				index += 1;
				const [visible] = this.#toVisible(event, token);
				if (visible !== undefined) return visible;
			}
		};
	}

	/** The first event carries the token; some are not for a client key. */
	#toVisible(event: WireRunEvent, run_token: string): WireRunEvent[] {
		const visible = this.#options.isClientKey ? toAnswerEvent(event, toClientKeyResult) : event;
		if (visible === undefined) return [];
		return [visible.type === "run.started" ? { ...visible, run_token } : visible];
	}

	#toRecord({ record }: FakeRun) {
		if (!this.#options.isClientKey || record.result === undefined) return record;
		return { ...record, result: toClientKeyResult(record.result) };
	}

	/** Returns all visible events after a sequence number; where there are none yet, waits for the next. */
	async #poll({ log, token }: FakeRun, after: number): Promise<FakeResponse> {
		const readVisible = (): WireRunEvent[] =>
			log.events.filter(({ seq }) => seq > after).flatMap((event) => this.#toVisible(event, token));
		while (readVisible().length === 0 && !log.isEnded) await log.at(log.events.length);
		return jsonResponse({ data: readVisible(), done: log.isEnded });
	}

	/** Answers for a run that is there, and that this caller may reach. */
	#withRun(
		handler: (run: FakeRun, request: FakeRequest) => FakeResponse | Promise<FakeResponse>,
	): RequestHandler {
		return (request, { id = "" }) => {
			const run = this.#runs.get(id);
			if (run === undefined || (this.#options.isClientKey && request.runToken !== run.token))
				return runNotFound(id);
			return handler(run, request);
		};
	}

	readonly handleEvents = this.#withRun((run, { call, wantsStream }) => {
		const after = Number(call.headers["last-event-id"] ?? call.query.after ?? 0);
		return wantsStream ? this.#toEventStream(run, after) : this.#poll(run, after);
	});

	readonly cancel = this.#withRun((run) => {
		run.cancel();
		return jsonResponse(this.#toRecord(run));
	});

	readonly list: RequestHandler = ({ call: { query } }) => {
		const { agent_id, status, limit = "20", after } = query;
		const matching = [...this.#runs.values()]
			.map(toListed)
			.filter((record) => agent_id === undefined || record.agent_id === agent_id)
			.filter((record) => status === undefined || record.status === status)
			.filter(({ id }) => after === undefined || id < after)
			.reverse();
		const data = matching.slice(0, Number(limit));
		const has_more = data.length < matching.length;
		return jsonResponse({ data, has_more, next: has_more ? (data.at(-1)?.id ?? null) : null });
	};

	readonly get = this.#withRun((run) => jsonResponse(this.#toRecord(run)));
}

/** Input of a run: the question, with the branch before it. */
const toTurnInput = ({ question, history }: FakeTurn): Json =>
	history.length === 0
		? question
		: {
				messages: [
					...history.map(({ role, content }) => ({ role, content: String(content) })),
					{ role: "user", content: question },
				],
			};

/** Returns a run as lists show it. */
const toListed = ({
	record: { result: _, input: _input, context: _context, ...record },
}: FakeRun): RunRecord => record;

/** Returns a run as it begins, however fast it ended. */
function toStarted(run: FakeRun): RunRecord {
	return { ...toListed(run), status: "running", ended_at: null, last_seq: 0 };
}

const keyConflict: FakeResponse = errorResponse({
	status: 409,
	code: "idempotency_conflict",
	message: "This Idempotency-Key was used with another body.",
	hint: "Use a new key for each new request, and the same key only to send the same request again.",
	param: "idempotency-key",
});

const runNotFound = (id: string): FakeResponse =>
	errorResponse({
		status: 404,
		code: "run_not_found",
		message: `There is no run "${id}".`,
		hint: "Of a client key: pass the token of the run, `run_token`.",
	});

/** A result as a client key sees it. */
function toClientKeyResult(result: RunResult): RunResult {
	const answer = toAnswerResult(result);
	return { ...answer, citations: withDocumentUrls(answer.citations) };
}
