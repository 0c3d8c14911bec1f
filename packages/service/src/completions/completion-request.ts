import * as z from "zod";
import { modelNameSchema } from "../settings/check-model";
import { MAX_CHAT_MESSAGES } from "../validation/field-limits";

const toolCall = z.object({
	id: z.string(),
	type: z.literal("function").optional(),
	function: z.object({ name: z.string(), arguments: z.string() }),
	extra_content: z.object({ stemma: z.json().exactOptional() }).nullish(),
});

/** Text, or parts of which only text is taken. */
const content = z.union([
	z.string(),
	z.array(z.union([z.object({ type: z.literal("text"), text: z.string() }), z.object({ type: z.string() })])),
]);

/** A call as it was before there were tools, and the answer to it. */
const legacyCall = z.object({ name: z.string(), arguments: z.string() });
const legacyResult = z.object({
	role: z.literal("function"),
	name: z.string(),
	content: z.string().nullish(),
});

/** Name of the speaker; it may be blank. */
const name = z.string().nullish();

const message = z.discriminatedUnion("role", [
	z.object({ role: z.enum(["system", "developer"]), content, name }),
	z.object({ role: z.literal("user"), content, name }),
	z.object({
		role: z.literal("assistant"),
		name,
		content: content.nullish(),
		tool_calls: z.array(toolCall).nullish(),
		function_call: legacyCall.nullish(),
	}),
	z.object({ role: z.literal("tool"), tool_call_id: z.string(), content }),
	legacyResult,
]);

const toolName = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);

const offeredFunction = z.object({
	name: toolName,
	description: z.string().nullish(),
	parameters: z.record(z.string(), z.unknown()).nullish(),
	strict: z.boolean().nullish(),
});

const tool = z.object({ type: z.literal("function"), function: offeredFunction });

const penalty = z.number().min(-2).max(2).nullish();
const unknownValue = z.unknown().optional();

/** Fields that change nothing in an answer, and are not passed on. */
const IGNORED_FIELDS = {
	user: unknownValue,
	safety_identifier: unknownValue,
	metadata: unknownValue,
	store: unknownValue,
	service_tier: unknownValue,
	prompt_cache_key: unknownValue,
	prompt_cache_retention: unknownValue,
	prompt_cache_options: unknownValue,
	prediction: unknownValue,
};

const nodeKind = z.enum(["coordinator", "agent", "knowledge", "tool", "remote", "handoff"]);

/** Context of the run of an agent that is asked as a model. */
const runContext = z.record(z.string(), z.unknown());

/** The field `stemma` of protocols that only agents read. */
export const agentOptions = z.strictObject({ context: runContext.optional() });

/** Fields that Stemma's own callers add. */
const stemma = z.object({
	provider: modelNameSchema.optional(),
	run_id: z.string().optional(),
	node: z.string().optional(),
	stage: z.enum(["rewrite", "embed", "score", "answer", "index"]).optional(),
	depth: z.number().int().min(0).optional(),
	mode: z.enum(["start", "call", "handoff", "before", "then"]).optional(),
	tool_kinds: z.record(z.string(), nodeKind).optional(),
	knowledge_base_ids: z.array(z.string()).optional(),
	context: runContext.optional(),
});

/**
 * A request of OpenAI's chat completions (platform.openai.com/docs/api-reference/chat/create). What it does not know is
 * refused, for it may change the answer; within messages, tools and `stream_options` it is ignored.
 */
export const completionRequest = z.strictObject({
	...IGNORED_FIELDS,
	model: modelNameSchema,
	messages: z.array(message).min(1).max(MAX_CHAT_MESSAGES),
	n: z.number().nullish(),
	stream: z.boolean().nullish(),
	stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
	tools: z.array(tool).nullish(),
	tool_choice: unknownValue,
	parallel_tool_calls: z.boolean().nullish(),
	functions: z.array(offeredFunction).nullish(),
	function_call: z.union([z.enum(["auto", "none"]), z.object({ name: z.string() })]).nullish(),
	response_format: unknownValue,
	temperature: z.number().nullish(),
	top_p: z.number().min(0).max(1).nullish(),
	seed: z.int().nullish(),
	stop: z.union([z.string(), z.array(z.string())]).nullish(),
	frequency_penalty: penalty,
	presence_penalty: penalty,
	logit_bias: z.record(z.string(), z.number()).nullish(),
	reasoning_effort: z.string().max(100).nullish(),
	verbosity: z.string().max(100).nullish(),
	// What no model is asked for: refused, but for values that say nothing.
	logprobs: unknownValue,
	top_logprobs: unknownValue,
	modalities: unknownValue,
	audio: unknownValue,
	web_search_options: unknownValue,
	moderation: unknownValue,
	max_tokens: z.number().int().min(1).nullish(),
	max_completion_tokens: z.number().int().min(1).nullish(),
	stemma: stemma.optional(),
});

export type CompletionRequest = z.infer<typeof completionRequest>;
