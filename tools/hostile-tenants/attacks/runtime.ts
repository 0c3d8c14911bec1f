import type { Attack, Step } from "../attacker/attack.ts";
import type { Hostile } from "../attacker/hostile.ts";
import { createBodyAttacks } from "./bodies.ts";
import { createConnectionAttacks } from "./connections.ts";
import { doubleReferences } from "./schemas.ts";

const REFUSED = ["400 *", "404 *", "405 *", "409 *", "410 events_expired", "413 *", "415 *", "422 *"];
const ENDED_BY_CALLER = ["broken timeout", "200 broken timeout"];

/** Agents of the runtime: one answers, one waits for a person, one waits for a tool that hangs. */
type AgentName = "plain" | "waiting" | "hanging" | "strict";

const run = (
	name: string,
	agent: AgentName,
	toBody: (hostile: Hostile) => object,
	{ everyMs = 200, concurrency = 2, timeoutMs = 20_000, headers = {} } = {},
): Attack => ({
	name,
	expects: [...REFUSED, ...ENDED_BY_CALLER],
	everyMs,
	concurrency,
	start: (hostile) => () => hostile.send("POST", `/run/${agent}`, toBody(hostile), { timeoutMs, headers }),
});

/** Starts a stream, leaves it once the run's id is known, and does something with that run. */
const withRun =
	(agent: AgentName, then: (hostile: Hostile, id: string) => Promise<unknown>) =>
	(hostile: Hostile): Step =>
	async () => {
		const { text } = await hostile.send(
			"POST",
			`/run/${agent}`,
			{ input: "Go.", stream: true },
			{ timeoutMs: 2000, maxBytes: 50 },
		);
		const id = /"run_id":"(run_[^"]+)"/.exec(text)?.[1];
		if (id !== undefined) await then(hostile, id);
	};

const runs = (
	name: string,
	agent: AgentName,
	then: (hostile: Hostile, id: string) => Promise<unknown>,
	{ everyMs = 200, concurrency = 2 } = {},
): Attack => ({
	name,
	expects: [...REFUSED, ...ENDED_BY_CALLER],
	everyMs,
	concurrency,
	start: withRun(agent, then),
});

const A2A = { "a2a-version": "1.0" };

const a2a = (
	name: string,
	agent: AgentName,
	method: string,
	toParams: (hostile: Hostile) => object,
	{ everyMs = 200, concurrency = 4, timeoutMs = 3000 } = {},
): Attack => ({
	name,
	expects: [...REFUSED, ...ENDED_BY_CALLER],
	everyMs,
	concurrency,
	start: (hostile) => () =>
		hostile.send(
			"POST",
			`/a2a/${agent}`,
			{ jsonrpc: "2.0", id: 1, method, params: toParams(hostile) },
			{ headers: A2A, timeoutMs },
		),
});

const message = ({ random }: Hostile): object => ({
	message: { messageId: `m${random.next()}`, role: "ROLE_USER", parts: [{ text: "Go." }] },
});

const get = (name: string, path: string, concurrency = 4): Attack => ({
	name,
	expects: REFUSED,
	everyMs: 50,
	concurrency,
	start: (hostile) => () => hostile.send("GET", path),
});

/** All attacks of a hostile caller on the runtime. */
export const RUNTIME_ATTACKS: readonly Attack[] = [
	run("run-flood", "plain", () => ({ input: "How long does a refund take?" }), {
		everyMs: 50,
		concurrency: 6,
	}),
	run("stream-flood", "plain", () => ({ input: "How long?", stream: true }), { everyMs: 50, concurrency: 6 }),
	run("hanging-runs", "hanging", () => ({ input: "Go." }), { concurrency: 60, timeoutMs: 10_000 }),
	run("hanging-streams", "hanging", () => ({ input: "Go.", stream: true }), {
		concurrency: 60,
		timeoutMs: 10_000,
	}),
	run("waiting-runs", "waiting", () => ({ input: "Go." }), { everyMs: 100 }),
	run("waiting-runs-large", "waiting", () => ({ input: "x".repeat(1_500_000) }), { everyMs: 500 }),
	run("long-input", "plain", () => ({ input: "word ".repeat(350_000) }), { everyMs: 1000 }),
	run("many-messages", "plain", () => ({
		input: { messages: Array.from({ length: 40_000 }, () => ({ role: "user", content: "x" })) },
	})),
	run("large-context", "plain", () => ({ input: "Go.", context: { a: "x".repeat(1_900_000) } }), {
		everyMs: 500,
	}),
	run("input-is-a-schema", "strict", () => ({ input: { ...doubleReferences(28), pattern: "^(a+)+$" } })),
	run("input-for-a-pattern", "strict", () => ({ input: `${"a".repeat(34)}!` })),
	run("input-prototype", "plain", () => ({
		input: JSON.parse('{"__proto__": {"a": 1}, "constructor": {}}') as object,
	})),
	run("input-unicode", "plain", () => ({ input: "\u{e0041}\u202e\u0000".repeat(50_000) })),
	run("same-idempotency-key", "plain", () => ({ input: "Go." }), {
		concurrency: 6,
		headers: { "idempotency-key": "one" },
	}),
	{
		name: "idempotency-keys",
		expects: REFUSED,
		everyMs: 50,
		concurrency: 2,
		start: (hostile) => () =>
			hostile.send(
				"POST",
				"/run/plain",
				{ input: "x".repeat(50_000) },
				{ headers: { "idempotency-key": `k${hostile.random.next()}` } },
			),
	},
	runs("cancel-storm", "hanging", (hostile, id) => hostile.send("POST", `/runs/${id}/cancel`)),
	runs("left-runs", "hanging", () => Promise.resolve(), { everyMs: 500 }),
	runs("watchers-of-one-run", "hanging", (hostile, id) =>
		Promise.all(
			Array.from({ length: 50 }, () =>
				hostile.send("GET", `/runs/${id}/events`, undefined, {
					headers: { accept: "text/event-stream" },
					timeoutMs: 3000,
				}),
			),
		),
	),
	runs("event-polls", "plain", (hostile, id) =>
		Promise.all(
			Array.from({ length: 30 }, () => hostile.send("GET", `/runs/${id}/events?after=0&wait_ms=25000`)),
		),
	),
	runs("rejoin-odd", "plain", async (hostile, id) => {
		for (const last of ["-1", "1e99", "9007199254740993", "x".repeat(5000)])
			await hostile.send("GET", `/runs/${id}/events`, undefined, {
				headers: { accept: "text/event-stream", "last-event-id": last },
				timeoutMs: 3000,
			});
	}),
	runs("approval-storm", "waiting", async (hostile, id) => {
		for (const approval of ["apr_1", "apr_2", "x".repeat(5000)])
			await hostile.send("POST", `/runs/${id}/approvals/${approval}`, {
				decision: "approve",
				reason: "x".repeat(1000),
			});
	}),
	{
		name: "unknown-runs",
		expects: REFUSED,
		everyMs: 50,
		concurrency: 2,
		start: (hostile) => () => hostile.send("GET", `/runs/run_${hostile.random.next()}/events`),
	},
	{
		name: "unknown-agents",
		expects: REFUSED,
		everyMs: 50,
		concurrency: 2,
		start: (hostile) => () => hostile.send("POST", `/run/${"%2e%2e%2f".repeat(500)}`, { input: "Go." }),
	},
	{
		name: "wrong-tokens",
		expects: ["401 invalid_credentials"],
		everyMs: 50,
		concurrency: 2,
		start: (hostile) => () =>
			hostile.send("GET", "/agents", undefined, { headers: { authorization: `Bearer ${"x".repeat(9000)}` } }),
	},
	get("list-flood", "/agents"),
	get("metrics-flood", "/metrics"),
	get("ready-flood", "/readyz"),
	{
		name: "odd-methods",
		expects: REFUSED,
		everyMs: 50,
		start: (hostile) => () =>
			hostile.send(
				hostile.random.pick(["HEAD", "OPTIONS", "TRACE", "PROPFIND", "PUT"]) ?? "HEAD",
				"/run/plain",
			),
	},
	a2a("a2a-send", "plain", "SendMessage", message, { timeoutMs: 20_000 }),
	a2a("a2a-streams", "hanging", "SendStreamingMessage", message, { concurrency: 30 }),
	a2a("a2a-waiting", "waiting", "SendMessage", message),
	a2a("a2a-list-tasks", "plain", "ListTasks", ({ random }) => ({ pageSize: random.pick([1, 100, 1e9, -1]) })),
	a2a(
		"a2a-too-large",
		"plain",
		"SendMessage",
		(hostile) => ({ ...message(hostile), more: "x".repeat(2_500_000) }),
		{
			concurrency: 2,
			everyMs: 500,
		},
	),
	...createBodyAttacks(["/run/plain", "/run/strict", "/a2a/plain"]),
	...createConnectionAttacks({
		post: "/run/plain",
		get: "/agents",
		stream: { path: "/run/hanging", body: { input: "Go.", stream: true } },
	}),
];
