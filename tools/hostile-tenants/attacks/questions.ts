import type { Attack } from "../attacker/attack.ts";
import type { Hostile } from "../attacker/hostile.ts";

const REFUSED = [
	"400 invalid_request",
	"400 invalid_json",
	"413 body_too_large",
	"404 knowledge_base_not_found",
	"422 *",
];

const WORDS =
	"the refund parcel travel expense policy of a to and in order within working days customer support".split(
		" ",
	);

const words = ({ random }: Hostile, count: number, rare = 0): string =>
	Array.from({ length: count }, (_, index) =>
		index < rare ? `zq${random.between(0, 1e9)}` : random.pick(WORDS),
	).join(" ");

const search = (
	name: string,
	toFields: (hostile: Hostile) => object,
	{ everyMs = 200, concurrency = 4, expects = [] as readonly string[], options = {} } = {},
): Attack => ({
	name,
	expects: [...REFUSED, ...expects],
	everyMs,
	concurrency,
	start: (hostile) => () => hostile.send("POST", "/v1/search", toFields(hostile), options),
});

const ask = (
	name: string,
	toFields: (hostile: Hostile) => object,
	{ everyMs = 500, concurrency = 2, expects = [] as readonly string[], options = {} } = {},
): Attack => ({
	name,
	expects: [...REFUSED, "502 *", "504 *", "409 cancelled", ...expects],
	everyMs,
	concurrency,
	start: (hostile) => () => hostile.send("POST", "/v1/ask", toFields(hostile), options),
});

export const QUESTION_ATTACKS: readonly Attack[] = [
	search("search-flood", (hostile) => ({ query: words(hostile, 6) }), { everyMs: 50, concurrency: 30 }),
	search("search-common-words", () => ({ query: "the of and to in a", top_k: 50 }), { concurrency: 10 }),
	search("search-many-words", (hostile) => ({ query: words(hostile, 1500) }), { concurrency: 6 }),
	search("search-rare-words", (hostile) => ({ query: words(hostile, 600, 600) })),
	search("search-long", () => ({ query: "x".repeat(1_900_000) }), { everyMs: 1000 }),
	search("search-one-letter", () => ({ query: Array.from("abcdefghijklmnopqrstuvwxyz").join("* ") })),
	search("search-operators", () => ({ query: '" OR NEAR(a b, 9999999) AND NOT * ^ : - ( ) {} title:a' })),
	search("search-huge-top-k", (hostile) => ({ query: words(hostile, 20), top_k: 2 ** 53 })),
	search("search-top-k-odd", ({ random }) => ({
		query: "refund",
		top_k: random.pick([-1, 0.5, "8", null, 1e308]),
	})),
	search("search-many-bases", (hostile) => ({
		query: "refund",
		knowledge_base_ids: Array.from({ length: 100 }, () => hostile.knowledgeBase),
	})),
	search("search-unicode", () => ({ query: `${"e\u0301".repeat(50_000)}\u{e0041}\u202e\u0000` }), {
		everyMs: 500,
	}),
	search("search-min-score", (hostile) => ({ query: words(hostile, 10), min_score: 0.5, top_k: 50 }), {
		everyMs: 500,
		concurrency: 2,
		expects: ["502 *", "504 *"],
	}),
	search("search-aborted", (hostile) => ({ query: words(hostile, 300) }), {
		everyMs: 50,
		expects: ["broken timeout", "200 broken timeout"],
		options: { timeoutMs: 4 },
	}),
	ask("ask-flood", (hostile) => ({ question: words(hostile, 12) }), { everyMs: 50, concurrency: 10 }),
	ask("ask-streams", (hostile) => ({ question: words(hostile, 12), stream: true }), {
		everyMs: 100,
		concurrency: 4,
	}),
	ask("ask-long-history", (hostile) => ({
		question: "And then?",
		history: Array.from({ length: 1000 }, (_, index) => ({
			role: index % 2 === 0 ? "user" : "assistant",
			content: words(hostile, 20),
		})),
	})),
	ask("ask-long", (hostile) => ({ question: words(hostile, 50_000) }), { everyMs: 1000 }),
	ask(
		"ask-models-that-hang",
		() => ({ question: "How long does the refund of a parcel take?", model: { model: "hang" } }),
		{
			concurrency: 20,
			expects: ["broken timeout", "400 *"],
			options: { timeoutMs: 10_000 },
		},
	),
	ask("ask-same-key", () => ({ question: "When?" }), {
		everyMs: 50,
		concurrency: 4,
		expects: ["409 idempotency_conflict"],
		options: { headers: { "idempotency-key": "one" } },
	}),
	{
		name: "idempotency-keys",
		expects: ["409 *", "400 *", "404 knowledge_base_not_found"],
		everyMs: 30,
		concurrency: 3,
		start: (hostile) => () =>
			hostile.send(
				"POST",
				"/v1/ask",
				{ question: "When?" },
				{ headers: { "idempotency-key": `k${hostile.random.next()}` } },
			),
	},
];
