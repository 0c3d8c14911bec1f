import { createTaskProgress, isTerminal, reduceTask, toNotification } from "@stemma/a2a-server";
import type { A2aPushConfig, A2aStreamResponse } from "@stemma/client/a2a";
import { parseEvent } from "@stemma/runs";
import type { Runs } from "../runs/runs";
import { toVisibleEvent } from "../runs/visibility";
import { decryptPushSecrets, type PushEncryption } from "./push-secrets";
import type {
	PushConfigKey,
	PushConfigRepository,
	StoredPushConfig,
} from "./repositories/push-config-repository";
import type { WorkspaceTaskRepository } from "./repositories/task-repository";
import type { DeliveryOutcome } from "./send-webhook";

/** Sources of the push notifications of one workspace. */
export interface NotificationSources extends PushEncryption {
	readonly pushConfigs: PushConfigRepository;
	readonly tasks: Pick<WorkspaceTaskRepository, "find">;
	readonly runs: Pick<Runs, "watch">;
}

/** One thing that a receiver is owed. */
export interface PendingNotification {
	/** Receiver with its secrets. */
	readonly receiver: A2aPushConfig;
	readonly notification: A2aStreamResponse;
	/** Time of the event, in epoch milliseconds. */
	readonly at: number;
}

/**
 * Tells one receiver what it is owed, and what happens from then on, until the run has ended or it wants no more.
 *
 * @param post - what it throws ends this; it is owed still.
 * @throws UndecryptableReceiverError
 */
export async function deliverNotifications(
	key: PushConfigKey,
	{ pushConfigs, tasks, runs, ...encryption }: NotificationSources,
	post: (pending: PendingNotification) => Promise<DeliveryOutcome>,
	signal: AbortSignal,
): Promise<void> {
	const config = await pushConfigs.find(key);
	const task = await tasks.find(key.run_id);
	if (config === undefined || config.is_finished || task === undefined) return;
	const receiver = toReceiver(config, encryption);
	const createdAt = new Date(task.created_at).toISOString();
	let progress = createTaskProgress({ taskId: key.run_id, contextId: task.context_id }, createdAt);
	for await (const events of runs.watch(key.run_id, 0, signal, { untilEnd: true }))
		for (const event of events.map(parseEvent)) {
			const visible = toVisibleEvent(event, config.visibility);
			if (visible === undefined) continue;
			progress = reduceTask(progress, visible).progress;
			const notification = event.seq > config.delivered_seq ? toNotification(visible, progress) : undefined;
			if (notification === undefined) continue;
			const outcome = await post({ receiver, notification, at: Date.parse(event.at) });
			if (outcome === "unsubscribed") return pushConfigs.finish(config);
			const isFinished = isTerminal(progress.status.state);
			if (!(await pushConfigs.advance(config, event.seq, isFinished)) || isFinished) return;
		}
}

/** No key opens what a receiver is sent; one that does comes with another start. */
export class UndecryptableReceiverError extends Error {
	constructor() {
		super(
			"No encryption key decrypts the credentials for a receiver of push notifications: it is sent nothing until encryption.keys has that key again.",
		);
	}
}

function toReceiver(config: StoredPushConfig, encryption: PushEncryption): A2aPushConfig {
	const secrets = decryptPushSecrets(config, encryption);
	if (secrets === undefined) throw new UndecryptableReceiverError();
	const { token, credentials } = secrets;
	const { id, run_id: taskId, url, scheme } = config;
	return {
		id,
		taskId,
		url,
		...(token !== undefined && { token }),
		...(scheme !== null && {
			authentication: { scheme, ...(credentials !== undefined && { credentials }) },
		}),
	};
}
