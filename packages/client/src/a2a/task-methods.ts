import type { isJsonObject } from "@stemma/core/internal";
import type { CallOptions, WithRequestId, withRequestId } from "../options/call-options";
import type { A2aError, createInvalidResponseError } from "./a2a-error";
import type { AgentCall, AgentEndpoint, callAgent } from "./agent-calls";
import type { CardCache, readCard } from "./agent-card";
import type { A2aPushConfigs } from "./push-configs";
import type { readTask } from "./read-wire";
import type { A2aAgentCard, A2aListRequest, A2aPushConfig, A2aTask, A2aTaskList } from "./wire";

/**
 * Dependencies that the caller passes in. This module imports nothing itself, because a bundler would split its imports
 * off from what every page loads.
 */
export interface TaskMethodDependencies {
	readonly A2aError: typeof A2aError;
	readonly callAgent: typeof callAgent;
	readonly isJsonObject: typeof isJsonObject;
	readonly createInvalidResponseError: typeof createInvalidResponseError;
	readonly readCard: typeof readCard;
	readonly readTask: typeof readTask;
	readonly withRequestId: typeof withRequestId;
}

/** The methods that few programs need. */
export interface TaskMethods {
	readonly pushConfigs: A2aPushConfigs;
	getExtendedCard(options: CallOptions | undefined): Promise<WithRequestId<A2aAgentCard>>;
	listTasks(query: TaskQuery, options: CallOptions | undefined): Promise<WithRequestId<A2aTaskList>>;
}

export type TaskQuery = Omit<A2aListRequest, "tenant">;

/** Pages of push configurations that are read: a task has a few. */
const MAX_PAGES = 100;

type Fields = Readonly<Record<string, unknown>>;

export function createTaskMethods(
	agent: AgentEndpoint,
	cards: CardCache,
	deps: TaskMethodDependencies,
): TaskMethods {
	const { createInvalidResponseError, withRequestId } = deps;

	async function request(call: AgentCall): Promise<WithRequestId<Fields>> {
		const { result, requestId } = await deps.callAgent(agent, call);
		if (!deps.isJsonObject(result)) throw createInvalidResponseError("is no object", requestId);
		return withRequestId({ ...result }, requestId);
	}

	/** The protocol's own refusal, without a request (A2A 1.0.1, section 3.3.4). */
	async function assertPushNotifications(options: CallOptions | undefined): Promise<void> {
		const { capabilities } = await cards.get(options);
		if (capabilities.pushNotifications === true) return;
		throw new deps.A2aError("The agent's card offers no push notifications.", {
			code: "push_notification_not_supported",
			reason: "PUSH_NOTIFICATION_NOT_SUPPORTED",
		});
	}

	async function requestConfig(call: AgentCall): Promise<WithRequestId<A2aPushConfig>> {
		await assertPushNotifications(call.options);
		const config = await request(call);
		if (typeof config.url === "string") return config as unknown as WithRequestId<A2aPushConfig>;
		throw createInvalidResponseError("is no push configuration", config.requestId);
	}

	/** @throws A2aError for what is no page, or leads to itself: it would never end. */
	function readPage(page: WithRequestId<Fields>, items: unknown, pageToken: unknown) {
		const { nextPageToken = "", requestId } = page;
		if (
			!Array.isArray(items) ||
			typeof nextPageToken !== "string" ||
			(nextPageToken && nextPageToken === pageToken)
		)
			throw createInvalidResponseError("is not the next page of a list", requestId);
		return { items: items as readonly unknown[], nextPageToken };
	}

	async function listConfigs(taskId: string, options?: CallOptions): Promise<readonly A2aPushConfig[]> {
		await assertPushNotifications(options);
		const all: unknown[] = [];
		let pageToken: string | undefined;
		for (let pages = 0; pages < MAX_PAGES && pageToken !== ""; pages++) {
			const params = { taskId, pageToken };
			const page = await request({ method: "ListTaskPushNotificationConfigs", params, options });
			const { items, nextPageToken } = readPage(page, page.configs ?? [], pageToken);
			all.push(...items);
			pageToken = nextPageToken;
		}
		return all as readonly A2aPushConfig[];
	}

	return {
		async getExtendedCard(options) {
			const { capabilities } = await cards.get(options);
			if (capabilities.extendedAgentCard !== true)
				throw new deps.A2aError("The agent's card offers no extended card.", {
					code: "extended_agent_card_not_configured",
					reason: "EXTENDED_AGENT_CARD_NOT_CONFIGURED",
				});
			const { requestId, ...fields } = await request({ method: "GetExtendedAgentCard", params: {}, options });
			const card = deps.readCard(fields, requestId);
			// One that leaves out where the agent is could not be used.
			if (card.supportedInterfaces.length > 0) cards.replace(card);
			return withRequestId(card, requestId);
		},
		async listTasks(query, options) {
			const page = await request({ method: "ListTasks", params: query, options });
			const { items, nextPageToken } = readPage(page, page.tasks ?? [], query.pageToken);
			const tasks: readonly A2aTask[] = items.map((item) => deps.readTask(item));
			return withRequestId({ pageSize: 0, totalSize: 0, ...page, tasks, nextPageToken }, page.requestId);
		},
		pushConfigs: {
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
			list: listConfigs,
			async delete(taskId, id, options) {
				await assertPushNotifications(options);
				await deps.callAgent(agent, {
					method: "DeleteTaskPushNotificationConfig",
					params: { taskId, id },
					options,
				});
			},
		},
	};
}
