import { type ChatRequest, DEFAULT_TOP_K } from "@stemma/core";
import { readConversation, readHistory, toLastUserMessage, toRemoteInput } from "../nodes/convert-value";
import type { Invocation, RetrievalEntry } from "../nodes/invocation";
import type { ModelCommand, RemoteCommand, ToolCommand } from "../run/command";
import { systemMessageFor, toolsFor } from "../run/receipt";
import type { RunState } from "../run/run-state";
import type { AgentRequest, RetrievalRequest, ToolRequest } from "./ports";

/** Builds the request to the model for the turn of a command. */
export function toChatRequest(run: RunState, command: ModelCommand): ChatRequest {
	const { invocation, mayCall, maxOutputTokens } = command;
	const { node, messages, depth, mode } = invocation;
	const { output, model } = node.modelSettings?.node ?? {};
	const { tools } = toolsFor(run, node);
	const request: Writable<ChatRequest> = {
		messages,
		origin: { runId: run.runId, node: node.id, invocation: invocation.id, depth, mode },
	};
	const system = systemMessageFor(run, node);
	if (system !== undefined) request.system = system;
	if (tools.length > 0) {
		request.tools = tools;
		request.toolChoice = mayCall ? "auto" : "none";
	}
	if (output !== undefined) request.outputSchema = output;
	if (model?.temperature !== undefined) request.temperature = model.temperature;
	if (maxOutputTokens !== undefined) request.maxOutputTokens = maxOutputTokens;
	return request;
}

type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

export function toRetrievalRequest(
	{ runId, input, graph: { coordinator, knowledgeBases } }: RunState,
	{ node, query, waiters }: RetrievalEntry,
): RetrievalRequest {
	const history = waiters[0] && readHistory(waiters[0].input, input);
	const choice = coordinator.modelSettings?.node.model;
	const request: Writable<RetrievalRequest> = {
		runId,
		node: node.id,
		invocation: waiters[0]?.id ?? 0,
		query,
		knowledgeBases: node.knowledgeBases,
		topK: node.topK ?? DEFAULT_TOP_K,
		runKnowledgeBases: knowledgeBases,
	};
	if (history !== undefined) request.history = history;
	if (node.minScore !== undefined) request.minScore = node.minScore;
	if (node.filter !== undefined) request.filter = node.filter;
	if (choice !== undefined) request.choice = choice;
	return request;
}

export function toToolRequest(
	{ runId }: RunState,
	{ invocation, arguments: args }: ToolCommand,
): ToolRequest {
	const { definition } = invocation.node;
	if (definition.kind !== "tool") throw new TypeError(`"${definition.id}" is not a tool.`);
	const { id: node, tool, server, auth } = definition;
	const request: Writable<ToolRequest> = {
		node,
		tool,
		runId,
		invocation: invocation.id,
		arguments: args,
	};
	if (server !== undefined) request.server = server;
	if (auth !== undefined) request.secret = auth.secret;
	return request;
}

/** An agent of the service is given the context of the run; an agent of others only what it is asked. */
export function toAgentRequest(run: RunState, { invocation }: RemoteCommand): AgentRequest {
	const {
		id: number,
		input,
		node: { definition },
	} = invocation;
	if (definition.kind !== "remote") throw new TypeError(`"${definition.id}" is not a remote agent.`);
	const { id, auth, ...target } = definition;
	const base = {
		runId: run.runId,
		node: id,
		invocation: number,
		...(auth === undefined ? {} : { secret: auth.secret }),
	};
	if (target.url !== undefined)
		return { ...base, input: toRemoteInput(toLastUserMessage(input, run.input)), agent: { url: target.url } };
	return {
		...base,
		input: isOwnConversation(run, invocation) ? input : toRemoteInput(input),
		agent: { agentId: target.agentId },
		context: run.context,
		...(run.untrustedContext ? { untrustedContext: true } : {}),
	};
}

/** A handoff gives the conversation of the node before, and its note. */
function isOwnConversation(run: RunState, { input, mode, parent }: Invocation): boolean {
	const origin = mode === "handoff" && parent !== undefined ? parent.input : input;
	return readConversation(origin, run.input) !== undefined;
}
