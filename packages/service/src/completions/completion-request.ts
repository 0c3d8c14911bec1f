import { z } from "zod";

// Lenient: what is not known here is ignored, as the vendors' own clients expect.

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

const message = z.discriminatedUnion("role", [
	z.object({ role: z.enum(["system", "developer"]), content }),
	z.object({ role: z.literal("user"), content }),
	z.object({
		role: z.literal("assistant"),
		content: content.nullish(),
		tool_calls: z.array(toolCall).nullish(),
	}),
	z.object({ role: z.literal("tool"), tool_call_id: z.string(), content }),
]);

const tool = z.object({
	type: z.literal("function"),
	function: z.object({
		name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
		description: z.string().optional(),
		parameters: z.record(z.string(), z.unknown()).optional(),
	}),
});

const nodeKind = z.enum(["coordinator", "agent", "knowledge", "tool", "remote", "handoff"]);

/** What Stemma's own callers add. */
const stemma = z.object({
	provider: z.string().optional(),
	run_id: z.string().optional(),
	node: z.string().optional(),
	stage: z.enum(["rewrite", "embed", "score", "answer", "index"]).optional(),
	depth: z.number().int().min(0).optional(),
	mode: z.enum(["start", "call", "handoff", "before", "then"]).optional(),
	tool_kinds: z.record(z.string(), nodeKind).optional(),
	knowledge_base_ids: z.array(z.string()).optional(),
});

/** A request of OpenAI's chat completions (platform.openai.com/docs/api-reference/chat/create), as far as it is read. */
export const completionRequest = z.object({
	model: z.string().min(1).max(200),
	messages: z.array(message).min(1),
	n: z.number().nullish(),
	stream: z.boolean().nullish(),
	stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
	tools: z.array(tool).nullish(),
	tool_choice: z.union([z.enum(["auto", "none"]), z.unknown()]).optional(),
	response_format: z.unknown().optional(),
	// What would change the answer, and is not passed on: refused where it is asked for.
	stop: z.unknown().optional(),
	functions: z.unknown().optional(),
	function_call: z.unknown().optional(),
	parallel_tool_calls: z.unknown().optional(),
	logprobs: z.unknown().optional(),
	modalities: z.unknown().optional(),
	temperature: z.number().nullish(),
	max_tokens: z.number().int().min(1).nullish(),
	max_completion_tokens: z.number().int().min(1).nullish(),
	stemma: stemma.optional(),
});

export type CompletionRequest = z.infer<typeof completionRequest>;
