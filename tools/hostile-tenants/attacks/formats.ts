import type { Attack } from "../attacker/attack.ts";
import type { Hostile } from "../attacker/hostile.ts";
import { createAgent, desk, oneNode } from "./graphs.ts";

/** Refusals of the formats of OpenAI and Anthropic, and of the hostile tenant's own models. */
const REFUSED = [
	"400 *",
	"401 *",
	"403 *",
	"404 *",
	"409 *",
	"413 *",
	"422 *",
	"429 *",
	"502 *",
	"503 *",
	"504 *",
	"broken timeout",
	"200 broken timeout",
];

type Model = "hello" | "drip" | "hang";

/** Requests for an answer of an agent, or of a knowledge base, as a model. */
const ask = (
	name: string,
	path: string,
	toBody: (model: string, hostile: Hostile) => object,
	{ everyMs = 100, concurrency = 3, model = "hello" as Model, timeoutMs = 20_000 } = {},
): Attack => ({
	name,
	expects: REFUSED,
	everyMs,
	concurrency,
	start: async (hostile) => {
		const agent = await createAgent(hostile, oneNode(desk(model)));
		return () => {
			const named = hostile.random.pick([`agent:${agent}`, `kb:${hostile.knowledgeBase}`]) ?? "";
			return hostile.send("POST", path, toBody(named, hostile), { timeoutMs });
		};
	},
});

const COMPLETIONS = "/v1/chat/completions";
const RESPONSES = "/v1/responses";
const MESSAGES = "/v1/messages";

const createMessages = (count: number): readonly object[] =>
	Array.from({ length: count }, (_, index) => ({
		role: index % 2 === 0 ? "user" : "assistant",
		content: "The refund takes five days.",
	}));

/** `/v1/chat/completions`, `/v1/responses` and `/v1/messages`, and the sign-in of the web app. */
export const FORMAT_ATTACKS: readonly Attack[] = [
	ask(
		"completions-of-agents",
		COMPLETIONS,
		(model) => ({ model, messages: createMessages(1), stream: true }),
		{
			model: "drip",
			timeoutMs: 5_000,
			concurrency: 6,
		},
	),
	ask("completions-and-leave", COMPLETIONS, (model) => ({ model, messages: createMessages(1) }), {
		model: "hang",
		timeoutMs: 500,
		concurrency: 10,
	}),
	ask(
		"completions-of-10000-messages",
		COMPLETIONS,
		(model) => ({ model, messages: createMessages(10_001) }),
		{
			everyMs: 500,
		},
	),
	ask("completions-of-many-parts", COMPLETIONS, (model) => ({
		model,
		messages: [
			{ role: "user", content: Array.from({ length: 20_000 }, () => ({ type: "text", text: "x" })) },
		],
	})),
	ask("responses-stored", RESPONSES, (model) => ({ model, input: "When is the refund?", store: true }), {
		concurrency: 4,
	}),
	ask("responses-in-the-background", RESPONSES, (model) => ({ model, input: "x", background: true }), {
		model: "hang",
		concurrency: 6,
	}),
	ask("responses-of-references", RESPONSES, (model) => ({
		model,
		input: Array.from({ length: 10_000 }, (_, index) => ({
			type: "item_reference",
			id: `msg_resp_${"0".repeat(26)}_${index}`,
		})),
	})),
	ask("responses-deep-schemas", RESPONSES, (_, { random }) => ({
		model: "default",
		input: "x",
		text: {
			format: {
				type: "json_schema",
				name: "n",
				schema: JSON.parse(`${'{"type":"array","items":'.repeat(400)}{}${"}".repeat(400)}`) as object,
			},
		},
		metadata: { n: `${random.next()}` },
	})),
	{
		name: "responses-chained",
		expects: REFUSED,
		everyMs: 100,
		start: async (hostile) => {
			const agent = await createAgent(hostile, oneNode(desk("hello")));
			let previous: unknown;
			const input = "x".repeat(200_000);
			return async () => {
				const { id } = await hostile.sendJson(
					"POST",
					RESPONSES,
					{
						model: `agent:${agent}`,
						input,
						store: true,
						...(typeof previous === "string" && { previous_response_id: previous }),
					},
					{ timeoutMs: 20_000 },
				);
				previous = id ?? previous;
			};
		},
	},
	{
		name: "responses-of-nobody",
		expects: REFUSED,
		everyMs: 50,
		concurrency: 4,
		start: (hostile) => () => {
			const path = `${RESPONSES}/resp_${hostile.random.pick(["0".repeat(26), "%00", "x".repeat(9_000)])}`;
			return hostile.send(hostile.random.pick(["GET", "DELETE"]) ?? "GET", path);
		},
	},
	ask(
		"messages-of-agents",
		MESSAGES,
		(model) => ({ model, max_tokens: 99, messages: createMessages(1), stream: true }),
		{
			model: "drip",
			timeoutMs: 5_000,
			concurrency: 6,
		},
	),
	ask(
		"messages-of-10000-messages",
		MESSAGES,
		(model) => ({ model, max_tokens: 9, messages: createMessages(10_001) }),
		{
			everyMs: 500,
		},
	),
	ask("messages-token-counts", `${MESSAGES}/count_tokens`, (model) => ({
		model,
		messages: [{ role: "user", content: "ü".repeat(900_000) }],
	})),
	{
		name: "session-brute-force",
		expects: REFUSED,
		everyMs: 20,
		concurrency: 8,
		start: (hostile) => () =>
			hostile.send(
				"POST",
				"/v1/session",
				{ token: `lnk_${hostile.random.next()}${"x".repeat(40)}` },
				{ isAnonymous: true, headers: { origin: hostile.url, "stemma-csrf": "1" } },
			),
	},
	{
		name: "session-cookies",
		expects: REFUSED,
		everyMs: 20,
		concurrency: 8,
		start: (hostile) => () =>
			hostile.send("GET", "/v1/session", undefined, {
				isAnonymous: true,
				headers: { cookie: `stemma_session=ses_${hostile.random.next()}${"x".repeat(3_000)}` },
			}),
	},
];
