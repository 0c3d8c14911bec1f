import * as z from "zod";
import { agentOptions } from "../completions/completion-request";
import { modelNameSchema } from "../settings/check-model";
import { MAX_CHAT_MESSAGES } from "../validation/field-limits";

const unknownValue = z.unknown().optional();
const id = z.string().nullish();

/** Part of a message. Only text is taken; others are refused by name. */
const part = z.union([
	z.object({ type: z.enum(["input_text", "output_text", "text"]), text: z.string() }),
	z.object({ type: z.string() }),
]);

const content = z.union([z.string(), z.array(part)]);

const item = z.discriminatedUnion("type", [
	z.object({
		type: z.literal("message"),
		id,
		role: z.enum(["user", "assistant", "system", "developer"]),
		content,
	}),
	z.object({
		type: z.literal("function_call"),
		id,
		call_id: z.string(),
		name: z.string(),
		arguments: z.string(),
		extra_content: z.object({ stemma: z.json().exactOptional() }).nullish(),
	}),
	z.object({ type: z.literal("function_call_output"), id, call_id: z.string(), output: content }),
	z.object({ type: z.literal("item_reference"), id: z.string() }),
	// What a model thought is not given back to it.
	z.object({ type: z.literal("reasoning"), id }),
]);

/** Item of a conversation. */
export type ResponseItem = z.infer<typeof item>;

/** Messages need no type, and items that have an id alone are references. */
function withType(value: unknown): unknown {
	if (typeof value !== "object" || value === null || ("type" in value && value.type != null)) return value;
	return { ...value, type: "role" in value ? "message" : "item_reference" };
}

const functionTool = z.object({
	type: z.literal("function"),
	name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
	description: z.string().nullish(),
	parameters: z.record(z.string(), z.unknown()).nullish(),
	strict: z.boolean().nullish(),
});

/** Fields that change nothing in an answer, and are not passed on. */
const IGNORED_FIELDS = {
	user: unknownValue,
	safety_identifier: unknownValue,
	prompt_cache_key: unknownValue,
	prompt_cache_retention: unknownValue,
	prompt_cache_options: unknownValue,
	service_tier: unknownValue,
	stream_options: unknownValue,
};

/** Fields that are refused, but for values that ask for nothing. */
const REFUSED_FIELDS = {
	conversation: unknownValue,
	prompt: unknownValue,
	max_tool_calls: unknownValue,
	top_logprobs: unknownValue,
	truncation: unknownValue,
	include: unknownValue,
	context_management: unknownValue,
	moderation: unknownValue,
};

/** Pairs that a caller keeps with a response. */
const metadata = z
	.record(z.string().max(64), z.string().max(512))
	.refine((pairs) => Object.keys(pairs).length <= 16);

/** A request of OpenAI's responses (platform.openai.com/docs/api-reference/responses/create). */
export const responseRequest = z.strictObject({
	...IGNORED_FIELDS,
	...REFUSED_FIELDS,
	model: modelNameSchema,
	input: z.union([z.string(), z.array(z.preprocess(withType, item)).min(1).max(MAX_CHAT_MESSAGES)]),
	instructions: z.string().nullish(),
	previous_response_id: z.string().nullish(),
	store: z.boolean().nullish(),
	stream: z.boolean().nullish(),
	background: z.boolean().nullish(),
	tools: z.array(z.union([functionTool, z.object({ type: z.string() })])).nullish(),
	tool_choice: unknownValue,
	parallel_tool_calls: z.boolean().nullish(),
	text: z.strictObject({ format: unknownValue, verbosity: z.string().max(100).nullish() }).nullish(),
	reasoning: z
		.strictObject({
			effort: z.string().max(100).nullish(),
			summary: unknownValue,
			generate_summary: unknownValue,
		})
		.nullish(),
	temperature: z.number().nullish(),
	top_p: z.number().min(0).max(1).nullish(),
	max_output_tokens: z.number().int().min(1).nullish(),
	metadata: metadata.nullish(),
	stemma: agentOptions.nullish(),
});

export type ResponseRequest = z.infer<typeof responseRequest>;
