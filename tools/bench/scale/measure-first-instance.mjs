import { setTimeout as wait } from "node:timers/promises";
import { createCorpus } from "../service/corpus.mjs";
import { createKnowledgeBase, ingest } from "../service/knowledge.mjs";
import { makeQueries, toFiles } from "../service/workload.mjs";
import { measureWork } from "./measure-instances.mjs";
import { postJson } from "./workspaces.mjs";

const PASSAGES = 5_000;
const CHARACTERS = 800;
const QUERIES = 200;
const STREAMS = 400;
/** Until streams are open and the garbage of opening them is gone. */
const SETTLE_MS = 1_500;

/** Work for the passages of one knowledge base, on one instance without a limit; and queries about them. */
export async function measurePassages(cluster) {
	const [first] = cluster.instances.all;
	const corpus = createCorpus(1);
	const passages = Array.from({ length: PASSAGES }, () => corpus.passage(CHARACTERS));
	const base = await createKnowledgeBase(first, "handbook");
	const files = toFiles(passages, [base], "rst");
	const work = await measureWork(cluster, async () => {
		await ingest(first, files);
		return { count: PASSAGES };
	});
	return { ...work, queries: makeQueries(corpus, passages, [base], QUERIES) };
}

/** Resident memory of an instance for each open stream of a run in which nothing happens, in bytes. */
export async function measureStreamMemory({ instances, tokens: [token] }) {
	const [first] = instances.all;
	const body = { input: "Wait.", background: true };
	const { id } = await postJson(first.url, token, "/v1/agents/silent/run", body);
	const before = await first.memory();
	const closing = new AbortController();
	const headers = { authorization: `Bearer ${token}`, accept: "text/event-stream" };
	const open = () => fetch(`${first.url}/v1/runs/${id}/events`, { headers, signal: closing.signal });
	// A response that is garbage is closed.
	const streams = await Promise.all(Array.from({ length: STREAMS }, open));
	await wait(SETTLE_MS);
	const after = await first.memory();
	const { status } = await (await fetch(`${first.url}/v1/runs/${id}`, { headers })).json();
	if (status !== "running") throw new Error(`The run of the streams is ${status}.`);
	if (!streams.every(({ status }) => status === 200)) throw new Error("A stream was not opened.");
	closing.abort();
	await postJson(first.url, token, `/v1/runs/${id}/cancel`, {});
	return ((after - before) * 1024 * 1024) / STREAMS;
}
