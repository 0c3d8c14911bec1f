import type { Json } from "@stemma/core";
import { type Tenant, toHarbourGraph } from "./tenant";

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

const given = (value: Json, ...alsoTaken: readonly JsonKind[]): BodyField => ({ value, alsoTaken });
const required = (value: Json, ...alsoTaken: readonly JsonKind[]): BodyField => ({
	...given(value, ...alsoTaken),
	isRequired: true,
});

/** The body with all fields right. */
export const toBody = ({ fields }: BodyRoute): Record<string, Json> =>
	Object.fromEntries(Object.entries(fields).map(([name, { value }]) => [name, value]));

/** All routes of the service that take JSON, for one who has all of this. */
export function listBodyRoutes(
	{ knowledgeBase, agent, run, approval, secret, server }: Tenant,
	vendor = "https://models.example/v1",
): readonly BodyRoute[] {
	const graph = required(toHarbourGraph("desk", knowledgeBase) as Json);
	const settings = {
		description: given("All books.", "null"),
		llm_provider: given("extractive", "null"),
		llm_model: given("extractive", "null"),
	};
	const endpoint = { provider: "openai-compatible", base_url: vendor, model: "a-model" };
	const knowledge_base_ids = given([knowledgeBase]);
	return [
		{ method: "POST", path: "/v1/clients", fields: { name: required("server"), scopes: given(["ask"]) } },
		{
			method: "POST",
			path: "/v1/client-keys",
			fields: {
				name: required("app"),
				scopes: given(["ask"]),
				origins: given(["https://app.example"]),
				native: given(true),
				agents: given([agent], "null"),
				knowledge_base_ids: given([knowledgeBase], "null"),
				requests_per_minute: given(60),
				tokens_per_day: given(1000),
				models: given(false),
				expose: given("answer"),
			},
		},
		{ method: "POST", path: "/v1/knowledge-bases", fields: { name: required("books"), ...settings } },
		{
			method: "PATCH",
			path: `/v1/knowledge-bases/${knowledgeBase}`,
			fields: { name: given("books"), ...settings },
		},
		{
			method: "POST",
			path: `/v1/knowledge-bases/${knowledgeBase}/documents`,
			fields: {
				text: required("A page."),
				title: given("Page"),
				source: given("page.md"),
				format: given("markdown"),
				metadata: given({ language: "en" }),
			},
		},
		{
			method: "POST",
			path: "/v1/search",
			fields: {
				query: required("harbour"),
				knowledge_base_ids,
				top_k: given(3),
				filter: given({ language: "en" }),
				stemma: given({ knowledge_base_ids: [knowledgeBase] }),
			},
		},
		{
			method: "POST",
			path: "/v1/ask",
			fields: {
				question: required("When does it open?"),
				knowledge_base_ids,
				history: given([{ role: "user", content: "Hello." }]),
				model: given({ model: "default" }),
				top_k: given(3),
				stream: given(false),
			},
		},
		{ method: "POST", path: "/v1/agents", fields: { graph, slug: given("desk-of-books") } },
		{ method: "PUT", path: `/v1/agents/${agent}`, fields: { graph, slug: given("desk") } },
		{
			method: "POST",
			path: `/v1/agents/${agent}/run`,
			fields: {
				input: required("When does it open?", ...ALL_KINDS),
				context: given({ customer: "Ada" }),
				background: given(false),
				stream: given(false),
			},
		},
		{
			method: "POST",
			path: `/v1/runs/${run}/approvals/${approval}`,
			fields: { decision: required("approve"), reason: given("It is right.") },
		},
		{
			method: "POST",
			path: "/v1/chat/completions",
			isLarge: true,
			fields: {
				model: required("default"),
				messages: required([{ role: "user", content: "Hello." }]),
				stream: given(false, "null"),
				stream_options: given({ include_usage: true }, "null"),
				tools: given(
					[{ type: "function", function: { name: "look", parameters: { type: "object" } } }],
					"null",
				),
				tool_choice: given("auto", "null"),
				response_format: given({ type: "text" }, "null"),
				parallel_tool_calls: given(true, "null"),
				functions: given([], "null"),
				function_call: given("auto", "null"),
				temperature: given(0.5, "null"),
				top_p: given(0.5, "null"),
				seed: given(7, "null"),
				stop: given(["END"], "null", "string"),
				frequency_penalty: given(0, "null"),
				presence_penalty: given(0, "null"),
				logit_bias: given({}, "null"),
				// The model that is built in takes neither.
				reasoning_effort: given(null, "string"),
				verbosity: given(null, "string"),
				max_tokens: given(100, "null"),
				stemma: given({ node: "desk", run_id: "run_1" }),
			},
		},
		{
			method: "POST",
			path: "/v1/models/resolve",
			fields: {
				nodes: required([{ node: "desk", model: "default" }]),
				knowledge_base_ids: given([knowledgeBase]),
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
				encoding_format: given("float"),
				dimensions: given(256),
			},
		},
		{
			method: "PUT",
			path: `/v1/workspace/secrets/${secret}`,
			fields: { server_url: required(server), value: given("a token") },
		},
		{
			method: "PUT",
			path: "/v1/workspace/llm-settings",
			fields: {
				provider: required(endpoint.provider),
				base_url: required(endpoint.base_url),
				model: required(endpoint.model),
				api_key: given("sk-a-key", "null"),
			},
		},
		{
			method: "POST",
			path: "/v1/workspace/llm-settings/test",
			fields: {
				provider: given(endpoint.provider),
				base_url: given(endpoint.base_url),
				model: given(endpoint.model),
				api_key: given("sk-a-key", "null"),
			},
		},
	];
}
