const COMMON = {
	id: "chatcmpl-CfR0qkT4wYvH2mZs8LxJ1dNbGuEoP",
	object: "chat.completion.chunk",
	created: 1_763_730_000,
	model: "gpt-5.1-2025-11-13",
	service_tier: "default",
	system_fingerprint: null,
};

/** A streamed answer of chat completions, `text/event-stream`, with an event for each delta. */
export function writeCompletions(deltas) {
	const usage = { prompt_tokens: 20, completion_tokens: deltas.length, total_tokens: 20 + deltas.length };
	const chunks = [
		toChunk({ role: "assistant", content: "", refusal: null }),
		...deltas.map((content) => toChunk({ content })),
		toChunk({}, "stop"),
		{ ...COMMON, choices: [], usage, obfuscation: "" },
	];
	return Buffer.from([...chunks.map((chunk) => JSON.stringify(chunk)), "[DONE]"].map(toEvent).join(""));
}

const toChunk = (delta, finishReason = null) => ({
	...COMMON,
	choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
	usage: null,
	obfuscation: "aBcDeFgHiJ",
});

const toEvent = (data) => `data: ${data}\n\n`;
