import type { Attack } from "../attacker/attack.ts";
import type { ModelScript } from "../attacker/model-scripts.ts";
import { desk, oneNode, runAgain } from "./graphs.ts";

/** What the tenant's own model does is told to the tenant as an error of that model. */
const REFUSED = ["502 *", "504 *", "400 *", "422 *"];

const complete = (
	script: ModelScript,
	{ everyMs = 500, concurrency = 2, isStream = true, timeoutMs = 15_000 } = {},
): Attack => ({
	name: `chat-${script}${isStream ? "" : "-whole"}`,
	expects: [...REFUSED, "broken timeout", "200 broken timeout"],
	everyMs,
	concurrency,
	start: (hostile) => () =>
		hostile.send(
			"POST",
			"/v1/chat/completions",
			{ model: script, stream: isStream, messages: [{ role: "user", content: "Go." }] },
			{ timeoutMs },
		),
});

const run = (script: ModelScript, { everyMs = 1000, concurrency = 1 } = {}): Attack => ({
	name: `run-model-${script}`,
	expects: REFUSED,
	everyMs,
	concurrency,
	start: runAgain(() => ({ ...oneNode(desk(script)), limits: { timeoutMs: 10_000 } })),
});

export const MODEL_ATTACKS: readonly Attack[] = [
	complete("hello", { everyMs: 50, concurrency: 6 }),
	complete("hang", { concurrency: 20 }),
	complete("drip", { concurrency: 20 }),
	complete("huge"),
	complete("huge", { isStream: false, everyMs: 1000 }),
	complete("endless"),
	complete("gzip-bomb", { everyMs: 1000 }),
	complete("gzip-bomb", { everyMs: 1000, isStream: false }),
	complete("redirect"),
	complete("broken-stream"),
	complete("garbage"),
	complete("deltas", { everyMs: 1500, concurrency: 1 }),
	complete("error-500"),
	complete("rate-limited", { everyMs: 1000 }),
	run("backticks", { everyMs: 2000 }),
	run("brackets", { everyMs: 2000 }),
	run("deltas", { everyMs: 2000 }),
	run("hang", { concurrency: 10 }),
	run("huge", { everyMs: 2000 }),
	run("endless"),
	run("gzip-bomb", { everyMs: 2000 }),
	{
		name: "embeddings-odd",
		expects: [...REFUSED, "413 body_too_large"],
		everyMs: 300,
		start: (hostile) => () =>
			hostile.send("POST", "/v1/embeddings", {
				model: "default",
				dimensions: hostile.random.pick([1, 1e9, -1, 0.5]),
				input: Array.from({ length: 2048 }, () => "x".repeat(500)),
			}),
	},
	{
		name: "model-settings-flips",
		expects: REFUSED,
		everyMs: 300,
		start: (hostile) => () => {
			const base_url = `${hostile.endpoints}/v1`;
			return hostile.send("PUT", "/v1/workspace/llm-settings", {
				provider: "openai-compatible",
				base_url,
				model: "hello",
				api_key: `sk-${hostile.random.next()}`,
			});
		},
	},
	{
		name: "model-settings-tests",
		expects: [...REFUSED, "429 too_many_tests", "broken timeout"],
		everyMs: 100,
		start: (hostile) => () =>
			hostile.send(
				"POST",
				"/v1/workspace/llm-settings/test",
				{
					provider: "openai-compatible",
					base_url: `${hostile.endpoints}/v1`,
					model: "hang",
					api_key: "sk",
				},
				{ timeoutMs: 20_000 },
			),
	},
	{
		name: "resolve-50000-nodes",
		expects: [...REFUSED, "413 body_too_large"],
		everyMs: 1000,
		start: (hostile) => () =>
			hostile.send("POST", "/v1/models/resolve", {
				nodes: Array.from({ length: 50_000 }, (_, index) => ({ node: `n${index}` })),
			}),
	},
];
