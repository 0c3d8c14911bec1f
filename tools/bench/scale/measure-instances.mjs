import { setTimeout as wait } from "node:timers/promises";
import { search } from "../service/knowledge.mjs";
import { quantile } from "../service/quantile.mjs";
import { repeat } from "./closed-loop.mjs";
import { timeEvents } from "./watch-run.mjs";
import { postJson } from "./workspaces.mjs";

/** Clients that call an instance at the same time. */
export const CLIENTS_OF_INSTANCE = 8;
/** Pieces of text that the model of the agent `ticker` streams. */
export const CHUNKS_OF_TICKER = 50;
/** Runs whose events are timed at the same time, each in a workspace of its own. */
const TIMED_RUNS = 2;

/**
 * Work of the instances and of Postgres while something goes on, in all: processor time in milliseconds, statements (of
 * these, transactions that write take a lock first; those that notify within one make others wait), bytes of WAL.
 *
 * @param work - resolves with what the result has besides.
 */
export async function measureWork({ instances, postgres }, work) {
	const read = async () => ({
		cpus: instances.cpus(),
		periods: instances.periods(),
		postgres: postgres.cpu(),
		statements: await postgres.statements(),
		writes: await postgres.statements("pg_advisory_xact_lock"),
		notifications: await postgres.statements("pg_notify"),
		notifyingWrites: await postgres.statements("pg_notify($1, json_build_object"),
		wal: await postgres.walBytes(),
	});
	const before = await read();
	const startedAt = performance.now();
	const result = await work();
	const seconds = (performance.now() - startedAt) / 1_000;
	const after = await read();
	const periods = after.periods.all - before.periods.all;
	return {
		seconds,
		...result,
		cpuMs: after.cpus.map((cpu, index) => cpu - before.cpus[index]),
		throttledShare: periods === 0 ? 0 : (after.periods.throttled - before.periods.throttled) / periods,
		postgresCpuMs: after.postgres - before.postgres,
		statements: after.statements - before.statements,
		writes: after.writes - before.writes,
		notifications: after.notifications - before.notifications,
		notifyingWrites: after.notifyingWrites - before.notifyingWrites,
		walBytes: after.wal - before.wal,
	};
}

/** What instances do by themselves. */
export const measureIdle = (cluster, seconds) =>
	measureWork(cluster, async () => {
		await wait(seconds * 1_000);
		return {};
	});

/** Runs of one model turn and ten chunks, on all instances and in all workspaces in turn. */
export function measureRuns(cluster, seconds) {
	const { tokens } = cluster;
	return measureCalls(cluster, seconds, async ({ url }, index) => {
		const token = tokens[index % tokens.length];
		const { status } = await postJson(url, token, "/v1/agents/desk/run", { input: `order ${index}` });
		if (status !== "completed") throw new Error(`A run ended as ${status}.`);
	});
}

/** Searches by words in one knowledge base. */
export const measureSearches = (cluster, seconds) =>
	measureCalls(cluster, seconds, async (service, index) => {
		const { query, knowledgeBase } = cluster.queries[index % cluster.queries.length];
		await search(service, query, [knowledgeBase]);
	});

/** Questions on the same knowledge base: a search, and an answer of the model. */
export const measureQuestions = (cluster, seconds) =>
	measureCalls(cluster, seconds, async (service, index) => {
		const { query, knowledgeBase } = cluster.queries[index % cluster.queries.length];
		await service.send("POST", "/v1/ask", { question: query, knowledge_base_ids: [knowledgeBase] });
	});

/** @param call - of an instance; `index` counts the calls of that instance. */
async function measureCalls(cluster, seconds, call) {
	const { all } = cluster.instances;
	return measureWork(cluster, () =>
		repeat(CLIENTS_OF_INSTANCE * all.length, seconds, (index) =>
			call(all[index % all.length], Math.floor(index / all.length)),
		),
	);
}

/**
 * Events of runs on the first instance: how much later a watcher on another instance gets each than one on that instance, which
 * gets it as soon as it is appended. Nothing else goes on.
 */
export function measureEvents(cluster, seconds) {
	const [own, other] = cluster.instances.all;
	const tokens = cluster.tokens.slice(0, TIMED_RUNS);
	return measureWork(cluster, async () => {
		let count = 0;
		const later = [];
		const end = performance.now() + seconds * 1_000;
		await Promise.all(
			tokens.map(async (token) => {
				while (performance.now() < end) {
					const body = { input: "Count.", background: true };
					const { id } = await postJson(own.url, token, "/v1/agents/ticker/run", body);
					const watchers = [timeEvents(own.url, token, id)];
					if (other !== undefined) watchers.push(timeEvents(other.url, token, id));
					const [here, there = []] = await Promise.all(watchers);
					if (here.length < CHUNKS_OF_TICKER) throw new Error(`A run had only ${here.length} events.`);
					count += here.length;
					later.push(...there.map((delay, index) => delay - here[index]));
				}
			}),
		);
		return { count, later: toQuantiles(later) };
	});
}

const toQuantiles = (delays) =>
	delays.length === 0 ? undefined : { p50: quantile(delays, 0.5), p95: quantile(delays, 0.95) };
