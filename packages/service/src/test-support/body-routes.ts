import type { Json } from "@stemma/core";
import { type Tenant, toKnowledgeGraph } from "./tenant";

/** A route that takes JSON, and all that it takes. */
export interface BodyRoute {
	readonly method: "POST" | "PUT" | "PATCH";
	readonly path: string;
	readonly fields: Readonly<Record<string, BodyField>>;
	/** Fields that it does not know are ignored. */
	readonly isLenient?: true;
	/** It takes 20 MiB. */
	readonly isLarge?: true;
}

export interface BodyField {
	/** One that is right. */
	readonly value: Json;
	readonly isRequired?: true;
	/** Kinds that are taken besides that of the value. */
	readonly alsoTaken?: readonly JsonKind[];
}

export type JsonKind = keyof typeof SAMPLES;

/** A value of each kind that JSON has. */
export const SAMPLES = {
	null: null,
	boolean: true,
	number: 7,
	string: "text",
	list: [7],
	object: { a: 7 },
} as const;

export function kindOf(value: Json): JsonKind {
	if (value === null) return "null";
	if (Array.isArray(value)) return "list";
	return typeof value as "boolean" | "number" | "string" | "object";
}

const ALL_KINDS = Object.keys(SAMPLES) as readonly JsonKind[];

const optional = (value: Json, ...alsoTaken: readonly JsonKind[]): BodyField => ({ value, alsoTaken });
const required = (value: Json, ...alsoTaken: readonly JsonKind[]): BodyField => ({
	...optional(value, ...alsoTaken),
	isRequired: true,
});

/** The body with all fields right. */
export const toBody = ({ fields }: BodyRoute): Record<string, Json> =>
	Object.fromEntries(Object.entries(fields).map(([name, { value }]) => [name, value]));

/** All routes of the service that take JSON, for one who has all of this. */
export function listBodyRoutes(
	{ knowledgeBase, source, agent, version, run, thread, answer, approval, secret, server, user }: Tenant,
	vendor = "https://models.example/v1",
): readonly BodyRoute[] {
	const graph = required(toKnowledgeGraph("desk", knowledgeBase) as Json);
	const settings = {
		description: optional("All books.", "null"),
		llm_provider: optional("extractive", "null"),
		llm_model: optional("extractive", "null"),
	};
	const endpoint = { provider: "openai-compatible", base_url: vendor, model: "a-model" };
	const knowledge_base_ids = optional([knowledgeBase]);
	return [
		{ method: "POST", path: "/v1/clients", fields: { name: required("server"), scopes: optional(["ask"]) } },
		{
			method: "POST",
			path: "/v1/client-keys",
			fields: {
				name: required("app"),
				scopes: optional(["ask"]),
				origins: optional(["https://app.example"]),
				native: optional(true),
				agents: optional([agent], "null"),
				knowledge_base_ids: optional([knowledgeBase], "null"),
				requests_per_minute: optional(60),
				tokens_per_day: optional(1000),
				models: optional(false),
				expose: optional("answer"),
			},
		},
		{ method: "PATCH", path: `/v1/members/${user}`, fields: { role: required("viewer") } },
		{
			method: "POST",
			path: "/v1/invitations",
			fields: { email: required("ada@example.com"), role: required("viewer") },
		},
		{ method: "POST", path: "/v1/knowledge-bases", fields: { name: required("books"), ...settings } },
		{
			method: "PATCH",
			path: `/v1/knowledge-bases/${knowledgeBase}`,
			fields: { name: optional("books"), ...settings, access: optional("all") },
		},
		{
			method: "POST",
			path: `/v1/knowledge-bases/${knowledgeBase}/documents`,
			fields: {
				text: required("A page."),
				title: optional("Page"),
				source: optional("page.md"),
				format: optional("markdown"),
				metadata: optional({ language: "en" }),
			},
		},
		{
			method: "POST",
			path: `/v1/knowledge-bases/${knowledgeBase}/reindex`,
			fields: {
				to: optional("none"),
				undo: optional(false),
				payer: optional("none"),
				dry_run: optional(true),
			},
		},
		...listSourceRoutes(`/v1/knowledge-bases/${knowledgeBase}/sources`, source),
		{
			method: "POST",
			path: "/v1/search",
			fields: {
				query: required("harbour"),
				knowledge_base_ids,
				history: optional([{ role: "user", content: "The harbour?" }]),
				top_k: optional(3),
				filter: optional({ language: "en" }),
				stemma: optional({ knowledge_base_ids: [knowledgeBase] }),
			},
		},
		{
			method: "POST",
			path: "/v1/ask",
			fields: {
				question: required("When does it open?"),
				knowledge_base_ids,
				history: optional([{ role: "user", content: "Hello." }]),
				model: optional({ model: "default" }),
				top_k: optional(3),
				store: optional(false),
				stream: optional(false),
			},
		},
		{
			method: "POST",
			path: "/v1/threads",
			fields: { title: optional("Harbour"), metadata: optional({ visitor: "7" }), agent_id: optional(agent) },
		},
		{
			method: "PATCH",
			path: `/v1/threads/${thread}`,
			fields: { title: optional("Harbour"), metadata: optional({ visitor: "7" }) },
		},
		...[`/v1/runs/${run}`, `/v1/answers/${answer}`].map(
			(path): BodyRoute => ({
				method: "POST",
				path: `${path}/feedback`,
				fields: { rating: required("up"), comment: optional("Good."), tags: optional(["clear"]) },
			}),
		),
		{
			method: "POST",
			path: `/v1/runs/${run}/shares`,
			fields: { fields: required(["input", "output"]), expires_in_hours: optional(24) },
		},
		{
			method: "POST",
			path: "/v1/agents",
			fields: { graph, slug: optional("desk-of-books"), note: optional("First.") },
		},
		{
			method: "PUT",
			path: `/v1/agents/${agent}`,
			fields: { graph, slug: optional("desk"), access: optional("all"), note: optional("Shorter.") },
		},
		{
			method: "POST",
			path: `/v1/agents/${agent}/versions/${version}/restore`,
			fields: { note: optional("Two was wrong.") },
		},
		{
			method: "POST",
			path: `/v1/agents/${agent}/run`,
			fields: {
				input: required("When does it open?", ...ALL_KINDS),
				context: optional({ customer: "Ada" }),
				background: optional(false),
				stream: optional(false),
			},
		},
		{
			method: "POST",
			path: `/v1/agents/${agent}/ag-ui`,
			fields: {
				threadId: required("thread-1"),
				runId: required("run-1"),
				protocolVersion: optional("1.0", "null"),
				parentRunId: optional("run-0", "null"),
				state: optional({ page: 1 }, "null"),
				messages: required([{ id: "m", role: "user", content: "When does it open?" }]),
				tools: optional([], "null"),
				context: optional([{ description: "customer", value: "Ada" }], "null"),
				forwardedProps: optional({}, ...ALL_KINDS),
				resume: optional([], "null"),
			},
		},
		{
			method: "POST",
			path: `/v1/agents/${agent}/ui`,
			fields: {
				id: required("chat-1"),
				messages: required([{ role: "user", parts: [{ type: "text", text: "When does it open?" }] }]),
				trigger: optional("submit-message"),
				messageId: optional("message-1"),
				context: optional({ customer: "Ada" }),
			},
		},
		{
			method: "POST",
			path: `/v1/runs/${run}/approvals/${approval}`,
			fields: { decision: required("approve"), reason: optional("It is right.") },
		},
		{
			method: "POST",
			path: "/v1/chat/completions",
			isLarge: true,
			fields: {
				model: required("default"),
				messages: required([{ role: "user", content: "Hello." }]),
				stream: optional(false, "null"),
				stream_options: optional({ include_usage: true }, "null"),
				tools: optional(
					[{ type: "function", function: { name: "look", parameters: { type: "object" } } }],
					"null",
				),
				tool_choice: optional("auto", "null"),
				response_format: optional({ type: "text" }, "null"),
				parallel_tool_calls: optional(true, "null"),
				functions: optional([], "null"),
				function_call: optional("auto", "null"),
				temperature: optional(0.5, "null"),
				top_p: optional(0.5, "null"),
				seed: optional(7, "null"),
				stop: optional(["END"], "null", "string"),
				frequency_penalty: optional(0, "null"),
				presence_penalty: optional(0, "null"),
				logit_bias: optional({}, "null"),
				// The model that is built in takes neither.
				reasoning_effort: optional(null, "string"),
				verbosity: optional(null, "string"),
				max_tokens: optional(100, "null"),
				stemma: optional({ node: "desk", run_id: "run_1" }),
			},
		},
		{
			method: "POST",
			path: "/v1/responses",
			isLarge: true,
			fields: {
				model: required("default"),
				input: required("When does it open?", "string"),
				instructions: optional("Be brief.", "null"),
				previous_response_id: optional(null, "string"),
				store: optional(false, "null"),
				stream: optional(false, "null"),
				background: optional(false, "null"),
				tools: optional([], "null"),
				tool_choice: optional("auto", "null"),
				parallel_tool_calls: optional(true, "null"),
				text: optional({ format: { type: "text" } }, "null"),
				// The model that is built in takes no effort.
				reasoning: optional({ summary: "auto" }, "null"),
				temperature: optional(0.5, "null"),
				top_p: optional(0.5, "null"),
				max_output_tokens: optional(100, "null"),
				metadata: optional({ page: "1" }, "null"),
				stemma: optional({}, "null"),
			},
		},
		...["/v1/messages", "/v1/messages/count_tokens"].map(
			(path): BodyRoute => ({
				method: "POST",
				path,
				isLarge: true,
				fields: {
					model: required("default"),
					messages: required([{ role: "user", content: "When does it open?" }]),
					max_tokens: path.endsWith("count_tokens") ? optional(100, "null") : required(100),
					system: optional("Be brief.", "null", "string"),
					stream: optional(false, "null"),
					tools: optional([], "null"),
					tool_choice: optional({ type: "auto" }, "null"),
					output_config: optional({ effort: null }, "null"),
					temperature: optional(0.5, "null"),
					top_p: optional(0.5, "null"),
					stop_sequences: optional(["END"], "null"),
					stemma: optional({}, "null"),
				},
			}),
		),
		{
			method: "POST",
			path: "/v1/models/resolve",
			fields: {
				nodes: required([
					{ node: "desk", model: "default" },
					{ node: "handbook", stage: "rewrite" },
				]),
				knowledge_base_ids: optional([knowledgeBase]),
			},
		},
		{
			method: "POST",
			path: "/v1/embeddings",
			isLenient: true,
			isLarge: true,
			fields: {
				model: required("default"),
				input: required("A page.", "string"),
				encoding_format: optional("float"),
				dimensions: optional(256),
			},
		},
		{
			method: "PUT",
			path: `/v1/workspace/secrets/${secret}`,
			fields: { server_url: required(server), value: optional("a token") },
		},
		{
			method: "PUT",
			path: "/v1/workspace/llm-settings",
			fields: {
				provider: required(endpoint.provider),
				base_url: required(endpoint.base_url),
				model: required(endpoint.model),
				api_key: optional("sk-a-key", "null"),
			},
		},
		{
			method: "POST",
			path: "/v1/workspace/llm-settings/test",
			fields: {
				provider: optional(endpoint.provider),
				base_url: optional(endpoint.base_url),
				model: optional(endpoint.model),
				api_key: optional("sk-a-key", "null"),
			},
		},
	];
}

function listSourceRoutes(path: string, source: string): readonly BodyRoute[] {
	const settings = { kind: "url", url: "http://127.0.0.1:9/page" };
	const fields = {
		name: optional("pages"),
		credential: optional("a-token", "null"),
		every_minutes: optional(60, "null"),
	};
	return [
		{ method: "POST", path, fields: { settings: required(settings), ...fields } },
		{ method: "PATCH", path: `${path}/${source}`, fields: { settings: optional(settings), ...fields } },
		{ method: "POST", path: `${path}/${source}/sync`, fields: { force: optional(false) } },
	];
}
