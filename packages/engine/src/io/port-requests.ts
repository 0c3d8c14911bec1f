import { type ChatRequest, DEFAULT_TOP_K } from "@stemma/core";
import { readConversation, readHistory, toLastUserMessage, toRemoteInput } from "../nodes/convert-value";
import type { Invocation, RetrievalEntry } from "../nodes/invocation";
import type { ModelCommand, RemoteCommand, ToolCommand } from "../run/command";
import { systemMessageFor, toolsFor } from "../run/receipt";
import type { RunState } from "../run/run-state";
import { toToolReference } from "./describe-tools";
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
	return {
		runId,
		node: node.id,
		invocation: waiters[0]?.id ?? 0,
		query,
		...(history === undefined ? {} : { history }),
		knowledgeBases: node.knowledgeBases,
		topK: node.topK ?? DEFAULT_TOP_K,
		...(node.minScore === undefined ? {} : { minScore: node.minScore }),
		...(node.filter === undefined ? {} : { filter: node.filter }),
		...(choice === undefined ? {} : { choice }),
		runKnowledgeBases: knowledgeBases,
	};
}

export function toToolRequest(
	{ runId }: RunState,
	{ invocation, arguments: args }: ToolCommand,
): ToolRequest {
	const { definition } = invocation.node;
	if (definition.kind !== "tool") throw new TypeError(`"${definition.id}" is not a tool.`);
	return { ...toToolReference(definition), runId, invocation: invocation.id, arguments: args };
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
