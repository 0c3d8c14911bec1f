import type { ChatSettings } from "./chat-model";

/** OpenAI's name of each chat setting: on the wire of `chat/completions`, of vendors and of the service. */
export const SETTING_FIELDS = {
	temperature: "temperature",
	topP: "top_p",
	seed: "seed",
	stop: "stop",
	frequencyPenalty: "frequency_penalty",
	presencePenalty: "presence_penalty",
	logitBias: "logit_bias",
	reasoningEffort: "reasoning_effort",
	verbosity: "verbosity",
	parallelToolCalls: "parallel_tool_calls",
} as const satisfies { readonly [setting in keyof ChatSettings]-?: string };
