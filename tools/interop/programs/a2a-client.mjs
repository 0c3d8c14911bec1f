import {
	A2A_PROTOCOL_VERSION,
	AgentCard,
	Message,
	SendMessageRequest,
	StreamResponse,
	Task,
	TaskPushNotificationConfig,
	taskStateFromJSON,
} from "@a2a-js/sdk";
import {
	ClientFactory,
	DefaultAgentCardResolver,
	JsonRpcTransportFactory,
	RestTransportFactory,
} from "@a2a-js/sdk/client";
import { serveCommands } from "./commands.mjs";

const TRANSPORTS = { JSONRPC: JsonRpcTransportFactory, "HTTP+JSON": RestTransportFactory };

const clients = new Map();

/** Up to `take` events, then it hangs up. */
async function collect(stream, take = Number.POSITIVE_INFINITY) {
	const events = [];
	for await (const event of stream) {
		events.push(StreamResponse.toJSON(event));
		if (events.length >= take) break;
	}
	return events;
}

serveCommands({
	/** Names what is connected, for the other commands. */
	async connect({ as, url, cardPath, token, binding }) {
		const withToken = (input, init = {}) => {
			const headers = new Headers(init.headers);
			if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
			return fetch(input, { ...init, headers });
		};
		const factory = new ClientFactory({
			transports: [new TRANSPORTS[binding]({ fetchImpl: withToken })],
			cardResolver: new DefaultAgentCardResolver({ fetchImpl: withToken }),
		});
		const client = await factory.createFromUrl(url, cardPath);
		clients.set(as, client);
		return { binding: client.transport.protocolName, card: AgentCard.toJSON(await client.getAgentCard()) };
	},
	async send({ on, request }) {
		const result = await clients.get(on).sendMessage(SendMessageRequest.fromJSON(request));
		return "messageId" in result ? { message: Message.toJSON(result) } : { task: Task.toJSON(result) };
	},
	stream: ({ on, request, take }) =>
		collect(clients.get(on).sendMessageStream(SendMessageRequest.fromJSON(request)), take),
	subscribe: ({ on, id, take }) => collect(clients.get(on).resubscribeTask({ id, tenant: "" }), take),
	getTask: async ({ on, id, historyLength }) =>
		Task.toJSON(await clients.get(on).getTask({ id, tenant: "", historyLength })),
	cancelTask: async ({ on, id }) =>
		Task.toJSON(await clients.get(on).cancelTask({ id, tenant: "", metadata: undefined })),
	async listTasks({ on, query = {} }) {
		const { status, ...rest } = query;
		const { tasks, ...page } = await clients.get(on).listTasks({
			tenant: "",
			contextId: "",
			pageToken: "",
			status: taskStateFromJSON(status ?? 0),
			...rest,
		});
		return { tasks: tasks.map(Task.toJSON), ...page };
	},
	async setPushConfig({ on, config }) {
		const set = await clients
			.get(on)
			.createTaskPushNotificationConfig(TaskPushNotificationConfig.fromJSON(config));
		return TaskPushNotificationConfig.toJSON(set);
	},
	async listPushConfigs({ on, taskId }) {
		const { configs } = await clients
			.get(on)
			.listTaskPushNotificationConfig({ taskId, tenant: "", pageSize: 10, pageToken: "" });
		return configs.map(TaskPushNotificationConfig.toJSON);
	},
	getPushConfig: async ({ on, taskId, id }) =>
		TaskPushNotificationConfig.toJSON(
			await clients.get(on).getTaskPushNotificationConfig({ taskId, id, tenant: "" }),
		),
	extendedCard: async ({ on }) =>
		AgentCard.toJSON(
			// The client itself asks for one only where the card offers it.
			await clients
				.get(on)
				.transport.getExtendedAgentCard(
					{ tenant: "" },
					{ serviceParameters: { "A2A-Version": A2A_PROTOCOL_VERSION } },
				),
		),
	deletePushConfig: ({ on, taskId, id }) =>
		clients.get(on).deleteTaskPushNotificationConfig({ taskId, id, tenant: "" }),
});
