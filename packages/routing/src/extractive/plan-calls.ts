import type { ChatRequest, ChatTool, ChatToolCall } from "@stemma/core";

/** Calls what has passages, and at the top of a run what may have read some; each once in a conversation. */
export function planCalls(request: ChatRequest, question: string): ChatToolCall[] {
	if (request.toolChoice === "none" || question === "") return [];
	const earlier = request.messages.flatMap((message) =>
		message.role === "assistant" ? (message.toolCalls ?? []) : [],
	);
	const called = new Set(earlier.map(({ name }) => name));
	return (request.tools ?? [])
		.filter((tool) => !called.has(tool.name) && isCallable(tool, request.origin?.depth ?? 0))
		.map(({ name }, index) => ({
			id: `call_${earlier.length + index + 1}`,
			name,
			arguments: JSON.stringify({ input: question }),
		}));
}

function isCallable({ kind }: ChatTool, depth: number): boolean {
	if (kind === "knowledge") return true;
	return depth === 0 && (kind === "agent" || kind === "coordinator");
}

/** The names of what this model never calls: what acts, leaves the process, or gives the conversation away. */
export function listUnsupportedTools(tools: readonly ChatTool[]): string[] {
	return tools
		.filter(({ kind }) => kind !== "knowledge" && kind !== "agent" && kind !== "coordinator")
		.map(({ name }) => name);
}
