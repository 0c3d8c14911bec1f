import { setTimeout as sleep } from "node:timers/promises";
import { median } from "../service/quantile.mjs";
import { startChild } from "./child.mjs";

/** Each sends the same events at the same moments, and only ours runs anything. */
const SUBJECTS = [
	{ name: "Stemma", program: "stemma-server" },
	{ name: "Node pipe", program: "pipe-server" },
	{ name: "Hono streamSSE", program: "hono-server" },
];
/** What the first streams load and compile is not theirs. */
const WARM_UP_STREAMS = 50;

/**
 * How long events are on their way, from one process to another, and what an open stream keeps on the server's heap.
 *
 * @returns by subject `p50` and `p99` in milliseconds, and `heap` in bytes a stream; the medians of the rounds.
 */
export async function measureStreams({ rounds, seconds, streams, eventsASecond }) {
	const numbers = SUBJECTS.map(() => []);
	for (let round = 0; round < rounds; round++)
		for (const [index, { program }] of SUBJECTS.entries())
			numbers[index].push(await measureServer(program, { seconds, streams, eventsASecond }));
	return SUBJECTS.map(({ name }, index) => ({ name, ...summarize(numbers[index]) }));
}

async function measureServer(program, { seconds, streams, eventsASecond }) {
	const server = await startChild(program, [eventsASecond], { flags: ["--expose-gc"] });
	const client = await startChild("stream-client", [`${server.ready.url}/run/chatter`]);
	try {
		await client.ask({ type: "open", count: WARM_UP_STREAMS });
		const { answer: before } = await server.ask("heap");
		await client.ask({ type: "open", count: streams - WARM_UP_STREAMS });
		const { answer: after } = await server.ask("heap");
		await server.ask("start");
		return {
			heap: (after - before) / (streams - WARM_UP_STREAMS),
			...(await followStreams(client, seconds)),
		};
	} finally {
		await Promise.all([client.stop(), server.stop()]);
	}
}

/** How long events are on their way to a client in some seconds, after one to warm up. */
export async function followStreams(client, seconds) {
	await sleep(1_000);
	await client.ask({ type: "begin" });
	await sleep(seconds * 1_000);
	const { events, wrong, p50, p99 } = await client.ask({ type: "end" });
	if (wrong > 0) throw new Error(`${wrong} events were lost, doubled or out of order.`);
	return { rate: events / seconds, p50, p99 };
}

const summarize = (numbers) =>
	Object.fromEntries(
		["rate", "p50", "p99", "heap"].map((field) => [field, median(numbers.map((number) => number[field]))]),
	);
