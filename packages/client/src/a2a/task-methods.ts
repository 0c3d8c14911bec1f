import { isJsonObject } from "@stemma/core/internal";
import { type CallOptions, type WithRequestId, withRequestId } from "../options/call-options";
import { A2aError, createInvalidResponseError } from "./a2a-error";
import { type AgentCall, type AgentEndpoint, callAgent } from "./agent-calls";
import { type CardCache, readCard } from "./agent-card";
import { readTask } from "./read-wire";
import type { A2aAgentCard, A2aListRequest, A2aPushConfig, A2aPushConfigInput, A2aTaskList } from "./wire";

/** Query of a list of tasks. This file has the methods that few programs need. */
export type TaskQuery = Omit<A2aListRequest, "tenant">;

/** Webhooks that are notified about a task. Not every agent returns their secrets. */
export interface A2aPushConfigs {
	/** @throws A2aError `push_notification_not_supported` */
	set(
		taskId: string,
		config: Omit<A2aPushConfigInput, "taskId">,
		options?: CallOptions,
	): Promise<WithRequestId<A2aPushConfig>>;
	get(taskId: string, id: string, options?: CallOptions): Promise<WithRequestId<A2aPushConfig>>;
	/** All of them. */
	list(taskId: string, options?: CallOptions): Promise<readonly A2aPushConfig[]>;
	delete(taskId: string, id: string, options?: CallOptions): Promise<void>;
}

/** Pages of push configurations that are read: a task has a few. */
const MAX_PAGES = 100;

type Fields = Readonly<Record<string, unknown>>;

/** @throws A2aError `extended_agent_card_not_configured` */
export async function getExtendedCard(
	agent: AgentEndpoint,
	cards: CardCache,
	options: CallOptions | undefined,
): Promise<WithRequestId<A2aAgentCard>> {
	const { capabilities } = await cards.get(options);
	if (capabilities.extendedAgentCard !== true)
		throw new A2aError("The agent's card offers no extended card.", {
			code: "extended_agent_card_not_configured",
			reason: "EXTENDED_AGENT_CARD_NOT_CONFIGURED",
		});
	const call = { method: "GetExtendedAgentCard", params: {}, options } as const;
	const { requestId, ...fields } = await requestObject(agent, call);
	const card = readCard(fields, requestId);
	// One that leaves out where the agent is could not be used.
	if (card.supportedInterfaces.length > 0) cards.replace(card);
	return withRequestId(card, requestId);
}

/** One page of tasks. */
export async function listTasks(
	agent: AgentEndpoint,
	query: TaskQuery,
	options: CallOptions | undefined,
): Promise<WithRequestId<A2aTaskList>> {
	const page = await requestObject(agent, { method: "ListTasks", params: query, options });
	const { items, nextPageToken } = readPage(page, page.tasks ?? [], query.pageToken);
	const tasks = items.map((item) => readTask(item));
	return withRequestId({ pageSize: 0, totalSize: 0, ...page, tasks, nextPageToken }, page.requestId);
}

/** Push configurations, of an agent whose card offers them. */
export function createPushConfigs(agent: AgentEndpoint, cards: CardCache): A2aPushConfigs {
	async function requestConfig(call: AgentCall): Promise<WithRequestId<A2aPushConfig>> {
		await assertPushNotifications(cards, call.options);
		const config = await requestObject(agent, call);
		if (isPushConfig(config)) return config;
		throw createInvalidResponseError("is not a push configuration", config.requestId);
	}

	return {
		set: (taskId, config, options) =>
			requestConfig({
				method: "CreateTaskPushNotificationConfig",
				params: { ...config, taskId },
				// Without an id, each request makes another one.
				retry: config.id ? "failed" : "if-not-started",
				options,
			}),
		get: (taskId, id, options) =>
			requestConfig({ method: "GetTaskPushNotificationConfig", params: { taskId, id }, options }),
		async list(taskId, options) {
			await assertPushNotifications(cards, options);
			return listPushConfigs(agent, taskId, options);
		},
		async delete(taskId, id, options) {
			await assertPushNotifications(cards, options);
			const params = { taskId, id };
			await callAgent(agent, { method: "DeleteTaskPushNotificationConfig", params, options });
		},
	};
}

/** The protocol's own refusal, without a request (A2A 1.0.1, section 3.3.4). */
async function assertPushNotifications(cards: CardCache, options: CallOptions | undefined): Promise<void> {
	const { capabilities } = await cards.get(options);
	if (capabilities.pushNotifications === true) return;
	throw new A2aError("The agent's card offers no push notifications.", {
		code: "push_notification_not_supported",
		reason: "PUSH_NOTIFICATION_NOT_SUPPORTED",
	});
}

async function listPushConfigs(
	agent: AgentEndpoint,
	taskId: string,
	options: CallOptions | undefined,
): Promise<readonly A2aPushConfig[]> {
	const all: A2aPushConfig[] = [];
	let pageToken: string | undefined;
	for (let pages = 0; pages < MAX_PAGES && pageToken !== ""; pages++) {
		const params = { taskId, pageToken };
		const page = await requestObject(agent, { method: "ListTaskPushNotificationConfigs", params, options });
		const { items, nextPageToken } = readPage(page, page.configs ?? [], pageToken);
		all.push(...items);
		pageToken = nextPageToken;
	}
	return all;
}

const isPushConfig = <Config extends Fields>(config: Config): config is Config & A2aPushConfig =>
	typeof config.url === "string";

async function requestObject(agent: AgentEndpoint, call: AgentCall): Promise<WithRequestId<Fields>> {
	const { result, requestId } = await callAgent(agent, call);
	if (!isJsonObject(result)) throw createInvalidResponseError("is not an object", requestId);
	return withRequestId({ ...result }, requestId);
}

/** @throws A2aError for what is no page, or leads to itself: it would never end. */
function readPage({ nextPageToken = "", requestId }: WithRequestId<Fields>, items: unknown, token: unknown) {
	if (
		!Array.isArray(items) ||
		typeof nextPageToken !== "string" ||
		(nextPageToken && nextPageToken === token)
	)
		throw createInvalidResponseError("is not the next page of a list", requestId);
	return { items, nextPageToken };
}
