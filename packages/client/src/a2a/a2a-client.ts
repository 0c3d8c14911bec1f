import { omitUndefined } from "@stemma/core/internal";
import { createIdempotencyKey } from "../http/platform";
import { type CallOptions, type WithRequestId, withRequestId } from "../options/call-options";
import {
	type AgentCall,
	type AgentEndpoint,
	type AgentOptions,
	callAgent,
	withTaskTimeout,
} from "./agent-calls";
import type { CardCache } from "./agent-card";
import { type A2aPaginatedTaskList, createPaginatedTaskList } from "./paginated-task-list";
import { readSendResponse, readTask } from "./read-wire";
import type { A2aPushConfigs } from "./task-methods";
import { type A2aStream, openTask } from "./task-stream";
import type {
	A2aAgentCard,
	A2aListRequest,
	A2aMessage,
	A2aPushConfigInput,
	A2aSendRequest,
	A2aSendResponse,
	A2aTask,
} from "./wire";

/** Message to an agent: a text, or a message whose missing fields are filled in. */
export type A2aInput = string | (Omit<A2aMessage, "messageId" | "role"> & { readonly messageId?: string });

export interface A2aSendOptions extends Omit<CallOptions, "idempotencyKey"> {
	/** Answers as soon as there is a task. Default false: when it has ended, or waits for something. */
	readonly returnImmediately?: boolean | undefined;
	/** Number of messages of the task to return; 0 for none. Default: the agent decides. */
	readonly historyLength?: number | undefined;
	/** Media types. */
	readonly acceptedOutputModes?: readonly string[] | undefined;
	/** Webhook that the agent notifies about the task. */
	readonly pushConfig?: A2aPushConfigInput | undefined;
	/** Metadata of the request. The metadata of the message is a field of the message. */
	readonly metadata?: A2aSendRequest["metadata"] | undefined;
}

/** One A2A agent. Nothing is sent before something is asked. */
export interface A2aClient {
	/** Returns the agent's card; fetched again when it is out of date. */
	card(options?: CallOptions): Promise<A2aAgentCard>;
	/**
	 * Returns the extended card, for callers with more rights. It replaces the public card until that changes.
	 *
	 * @throws A2aError `extended_agent_card_not_configured`, without a request, where its card does not offer one.
	 */
	extendedCard(options?: CallOptions): Promise<WithRequestId<A2aAgentCard>>;
	/**
	 * Sends a message and waits for what comes of it: up to `eventTimeoutMs`, unless `timeouts.headersTimeoutMs` is given
	 * here. It is tried again only where the agent has begun nothing, and as the same message.
	 */
	send(message: A2aInput, options?: A2aSendOptions): Promise<WithRequestId<A2aSendResponse>>;
	/** Sends a message at once; what comes of it is read as it happens. An aborted signal cancels the task. */
	stream(message: A2aInput, options?: A2aSendOptions): A2aStream;
	/** Follows a task that is there. An aborted signal cancels it. */
	subscribe(taskId: string, options?: CallOptions): A2aStream;
	getTask(
		taskId: string,
		options?: CallOptions & { readonly historyLength?: number | undefined },
	): Promise<WithRequestId<A2aTask>>;
	listTasks(query?: Omit<A2aListRequest, "tenant">, options?: CallOptions): A2aPaginatedTaskList;
	/** @throws A2aError `task_not_cancelable` for one that has ended. */
	cancelTask(taskId: string, options?: CallOptions): Promise<WithRequestId<A2aTask>>;
	readonly pushConfigs: A2aPushConfigs;
}

export function createClientForAgent(options: AgentOptions, cards: CardCache): A2aClient {
	const agent: AgentEndpoint = {
		...options,
		toError: async (...failure) => (await loadParts()).toResponseError(...failure),
	};
	const loadPushConfigs = async () => (await loadParts()).createPushConfigs(agent, cards);

	async function requestTask(
		method: AgentCall["method"],
		id: string,
		options?: CallOptions,
		params: object = {},
	): Promise<WithRequestId<A2aTask>> {
		const { result, requestId } = await callAgent(agent, { method, params: { id, ...params }, options });
		return withRequestId(readTask(result, id), requestId);
	}

	return {
		card: cards.get,
		extendedCard: async (options) => (await loadParts()).getExtendedCard(agent, cards, options),
		async send(message, options) {
			const { result, requestId } = await callAgent(agent, {
				method: "SendMessage",
				params: toSendRequest(message, options),
				retry: "if-not-started",
				options: withTaskTimeout(agent, options),
			});
			return withRequestId(readSendResponse(result), requestId);
		},
		stream: (message, options) => openTask(agent, { request: toSendRequest(message, options) }, options),
		subscribe: (taskId, options) => openTask(agent, { taskId }, options),
		getTask: (taskId, options) =>
			requestTask("GetTask", taskId, options, { historyLength: options?.historyLength }),
		listTasks: (query = {}, options) =>
			createPaginatedTaskList(async (pageToken = query.pageToken) =>
				(await loadParts()).listTasks(agent, omitUndefined({ ...query, pageToken }), options),
			),
		cancelTask: (taskId, options) => requestTask("CancelTask", taskId, options),
		pushConfigs: {
			set: async (...call) => (await loadPushConfigs()).set(...call),
			get: async (...call) => (await loadPushConfigs()).get(...call),
			list: async (...call) => (await loadPushConfigs()).list(...call),
			delete: async (...call) => (await loadPushConfigs()).delete(...call),
		},
	};
}

const loadParts = () => import("./lazy-parts");

/** The id is made once for each call: whatever is sent again is the same message. */
function toSendRequest(input: A2aInput, options: A2aSendOptions = {}): A2aSendRequest {
	const { signal: _, timeouts: __, headers: ___, pushConfig, metadata, ...configuration } = options;
	const message = typeof input === "string" ? { parts: [{ text: input }] } : input;
	return omitUndefined({
		message: {
			...message,
			role: "ROLE_USER" as const,
			messageId: message.messageId ?? createIdempotencyKey(),
		},
		configuration: omitUndefined({ ...configuration, taskPushNotificationConfig: pushConfig }),
		metadata,
	});
}
