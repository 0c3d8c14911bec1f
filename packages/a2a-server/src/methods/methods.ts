import { A2aServerError } from "../a2a-server-error";
import type { Call, Method, MethodResult } from "./call";
import { cancelTask } from "./cancel-task";
import { getTask } from "./get-task";
import { listTasks } from "./list-tasks";
import { createPushConfig, deletePushConfig, getPushConfig, listPushConfigs } from "./push-configs";
import { sendMessage, sendStreamingMessage } from "./send-message";
import { subscribeToTask } from "./subscribe-to-task";

/** The methods of A2A 1.0 by their names in JSON-RPC (section 9.4). */
export const METHODS = {
	SendMessage: sendMessage,
	SendStreamingMessage: sendStreamingMessage,
	GetTask: getTask,
	ListTasks: listTasks,
	CancelTask: cancelTask,
	SubscribeToTask: subscribeToTask,
	CreateTaskPushNotificationConfig: createPushConfig,
	GetTaskPushNotificationConfig: getPushConfig,
	ListTaskPushNotificationConfigs: listPushConfigs,
	DeleteTaskPushNotificationConfig: deletePushConfig,
	GetExtendedAgentCard: rejectExtendedCard,
} as const satisfies Readonly<Record<string, Method>>;

export type MethodName = keyof typeof METHODS;

export const isMethodName = (name: string): name is MethodName => Object.hasOwn(METHODS, name);

/** Refused in the one of two ways that fits what the card says (A2A 1.0.1, section 3.3.4). */
async function rejectExtendedCard({ agent: { card } }: Call): Promise<MethodResult> {
	const isAdvertised = card.capabilities.extendedAgentCard === true;
	throw new A2aServerError(
		isAdvertised ? "EXTENDED_AGENT_CARD_NOT_CONFIGURED" : "UNSUPPORTED_OPERATION",
		"This agent has no extended card.",
		{ hint: "Its public card is at .well-known/agent-card.json." },
	);
}
