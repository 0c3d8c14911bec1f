import * as z from "zod";
import { agentOptions } from "../completions/completion-request";
import { modelNameSchema } from "../settings/check-model";
import { MAX_CHAT_MESSAGES } from "../validation/field-limits";

const unknownValue = z.unknown().optional();

const textBlock = z.object({ type: z.literal("text"), text: z.string() });
const textContent = z.union([z.string(), z.array(textBlock)]);

const block = z.discriminatedUnion("type", [
	textBlock,
	z.object({
		type: z.literal("tool_use"),
		id: z.string(),
		name: z.string(),
		input: z.record(z.string(), z.unknown()),
	}),
	z.object({
		type: z.literal("tool_result"),
		tool_use_id: z.string(),
		content: textContent.nullish(),
		is_error: z.boolean().nullish(),
	}),
	// What a model thought is not given back to it.
	z.object({ type: z.enum(["thinking", "redacted_thinking"]) }),
]);

const message = z.discriminatedUnion("role", [
	z.object({ role: z.enum(["user", "assistant"]), content: z.union([z.string(), z.array(block)]) }),
	// In the middle of a conversation, as Claude Code sends them.
	z.object({ role: z.literal("system"), content: textContent }),
]);

const tool = z.object({
	type: z.literal("custom").nullish(),
	name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
	description: z.string().nullish(),
	input_schema: z.record(z.string(), z.unknown()),
	strict: z.boolean().nullish(),
});

const disable_parallel_tool_use = z.boolean().nullish();
const toolChoice = z.discriminatedUnion("type", [
	z.object({ type: z.enum(["auto", "any", "none"]), disable_parallel_tool_use }),
	z.object({ type: z.literal("tool"), name: z.string(), disable_parallel_tool_use }),
]);

/** Fields that change nothing in an answer, and are not passed on. */
const IGNORED_FIELDS = {
	metadata: unknownValue,
	service_tier: unknownValue,
	cache_control: unknownValue,
};

/** Fields that are refused, but for values that ask for nothing. */
const REFUSED_FIELDS = {
	top_k: unknownValue,
	thinking: unknownValue,
	container: unknownValue,
	mcp_servers: unknownValue,
	context_management: unknownValue,
};

const MESSAGE_FIELDS = {
	...IGNORED_FIELDS,
	...REFUSED_FIELDS,
	model: modelNameSchema,
	messages: z.array(message).min(1).max(MAX_CHAT_MESSAGES),
	system: textContent.nullish(),
	tools: z.array(z.union([tool, z.object({ type: z.string() })])).nullish(),
	tool_choice: toolChoice.nullish(),
	output_config: z.strictObject({ effort: z.string().max(100).nullish(), format: unknownValue }).nullish(),
	temperature: z.number().min(0).max(1).nullish(),
	top_p: z.number().min(0).max(1).nullish(),
	stop_sequences: z.array(z.string()).nullish(),
	stream: z.boolean().nullish(),
	stemma: agentOptions.nullish(),
};

/** A request of Anthropic's messages (docs.anthropic.com/en/api/messages). */
export const messageRequest = z.strictObject({ ...MESSAGE_FIELDS, max_tokens: z.number().int().min(1) });

/** A request to count the tokens of a message. */
export const tokenCountRequest = z.strictObject({
	...MESSAGE_FIELDS,
	max_tokens: z.number().int().min(1).nullish(),
});

export type MessageRequest = z.infer<typeof tokenCountRequest>;
