import type { Attack, Step } from "../attacker/attack.ts";
import type { Fields, Hostile, SendOptions } from "../attacker/hostile.ts";
import { createAgent, desk, oneNode } from "./graphs.ts";

/** Limits of threads, and cancellations of those whose answers are interrupted. */
const REFUSED = [
	"400 *",
	"401 *",
	"403 *",
	"404 *",
	"408 request_timeout",
	"409 *",
	"413 *",
	"422 *",
	"429 *",
	"503 *",
	"broken timeout",
	"200 broken timeout",
];

interface ThreadAttackOptions {
	readonly everyMs?: number;
	readonly concurrency?: number;
}

const attack = (
	name: string,
	start: Attack["start"],
	{ everyMs = 200, concurrency = 2 }: ThreadAttackOptions = {},
): Attack => ({ name, expects: REFUSED, everyMs, concurrency, start });

const createThread = async (hostile: Hostile, options?: SendOptions): Promise<Fields> =>
	hostile.sendJson("POST", "/v1/threads", { title: "mine" }, options);

/** Names a thread, and an agent that answers in it. */
async function prepare(hostile: Hostile, model: "hello" | "drip" | "hang" = "hello") {
	const agent = await createAgent(hostile, oneNode(desk(model)));
	const { id } = await createThread(hostile);
	return { thread: String(id), run: `/v1/agents/${agent}/run` };
}

const withThread =
	(step: (hostile: Hostile, thread: string) => Promise<unknown>): Attack["start"] =>
	async (hostile): Promise<Step> => {
		const { id } = await createThread(hostile);
		return () => step(hostile, String(id));
	};

const read = (hostile: Hostile, path: string) =>
	hostile.send("GET", path, undefined, { timeoutMs: 30_000, maxBytes: 5_000_000 });

export const THREAD_ATTACKS: readonly Attack[] = [
	attack("thousands-of-threads", (hostile) => () => createThread(hostile), { everyMs: 50, concurrency: 6 }),
	attack(
		"huge-thread",
		async (hostile) => {
			const { thread, run } = await prepare(hostile);
			// Every message is the root of a branch of its own, so that nothing keeps the tree narrow.
			return () =>
				hostile.send("POST", run, { input: "x", thread_id: thread, parent_id: null }, { timeoutMs: 20_000 });
		},
		{ everyMs: 20, concurrency: 8 },
	),
	attack("long-messages", async (hostile) => {
		const { thread, run } = await prepare(hostile);
		return () =>
			hostile.send("POST", run, { input: "m".repeat(100_000), thread_id: thread }, { timeoutMs: 20_000 });
	}),
	attack(
		"thread-interruptions",
		async (hostile) => {
			const { thread, run } = await prepare(hostile, "hang");
			return () =>
				hostile.send(
					"POST",
					run,
					{ input: "x", thread_id: thread, if_active: "interrupt", background: true },
					{ timeoutMs: 20_000 },
				);
		},
		{ everyMs: 50, concurrency: 6 },
	),
	attack(
		"full-thread-queues",
		async (hostile) => {
			const { thread, run } = await prepare(hostile, "hang");
			return () =>
				hostile.send("POST", run, { input: "x", thread_id: thread, background: true }, { timeoutMs: 20_000 });
		},
		{ concurrency: 6 },
	),
	attack(
		"thread-searches",
		(hostile) => () => {
			const query = hostile.random.pick(["%", "_".repeat(200), "the refund", "\u0000", "a%b%c%d%e"]) ?? "";
			return read(hostile, `/v1/threads?limit=100&query=${encodeURIComponent(query)}`);
		},
		{ everyMs: 50, concurrency: 8 },
	),
	attack(
		"thread-messages",
		withThread((hostile, thread) =>
			read(
				hostile,
				`/v1/threads/${thread}/messages?limit=${hostile.random.pick([1, 100, 0, 1e9])}&after=msg_${"0".repeat(26)}`,
			),
		),
		{ everyMs: 50, concurrency: 4 },
	),
	attack(
		"thread-exports",
		withThread((hostile, thread) => read(hostile, `/v1/threads/${thread}/export`)),
		{
			everyMs: 50,
			concurrency: 6,
		},
	),
	attack(
		"thread-titles",
		withThread((hostile, thread) =>
			hostile.send("POST", `/v1/threads/${thread}/title`, {}, { timeoutMs: 20_000 }),
		),
	),
	attack(
		"thread-metadata",
		withThread((hostile, thread) =>
			hostile.send("PATCH", `/v1/threads/${thread}`, {
				metadata: Object.fromEntries(
					Array.from({ length: 5_000 }, (_, index) => [`k${index}`, "v".repeat(100)]),
				),
			}),
		),
	),
	attack("thread-deletions", async (hostile) => {
		const agent = await createAgent(hostile, oneNode(desk("drip")));
		return async () => {
			const { id } = await createThread(hostile);
			const json = { input: "x", thread_id: id, background: true };
			await hostile.send("POST", `/v1/agents/${agent}/run`, json, { timeoutMs: 20_000 });
			await hostile.send("DELETE", `/v1/threads/${id}`, undefined, { timeoutMs: 20_000 });
		};
	}),
	attack(
		"questions-in-a-thread",
		withThread((hostile, thread) =>
			hostile.send(
				"POST",
				"/v1/ask",
				{ question: "When is the refund?", thread_id: thread, store: true, if_active: "interrupt" },
				{ timeoutMs: 20_000, headers: { "idempotency-key": `k${hostile.random.between(0, 3)}` } },
			),
		),
		{ everyMs: 50, concurrency: 6 },
	),
	attack(
		"thread-tokens",
		(hostile) => () =>
			hostile.send("GET", `/v1/threads/thr_${"0".repeat(26)}`, undefined, {
				headers: {
					authorization: `Bearer ${hostile.clientKey}`,
					"stemma-thread-token": `tht_${hostile.random.next()}`,
				},
			}),
	),
	attack(
		"feedback-floods",
		(hostile) => async () => {
			const { answer_id } = await hostile.sendJson(
				"POST",
				"/v1/ask",
				{ question: "When is the refund?", knowledge_base_ids: [hostile.knowledgeBase], store: true },
				{ timeoutMs: 20_000 },
			);
			const subject = typeof answer_id === "string" ? answer_id : `ans_${"0".repeat(26)}`;
			await hostile.send("POST", `/v1/answers/${subject}/feedback`, {
				rating: "down",
				comment: "c".repeat(hostile.random.pick([10, 4_000, 5_000]) ?? 10),
				tags: Array.from({ length: hostile.random.pick([1, 20, 5_000]) ?? 1 }, (_, index) => `tag-${index}`),
			});
		},
		{ concurrency: 3 },
	),
	attack(
		"feedback-lists",
		(hostile) => () => read(hostile, `/v1/feedback?limit=100&tag=${encodeURIComponent("%' OR 1=1 --")}`),
	),
	attack("feedback-exports", (hostile) => () => read(hostile, "/v1/feedback/export"), { concurrency: 3 }),
];
