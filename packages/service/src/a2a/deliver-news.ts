import { createTaskProgress, followTask, isTerminal, toNotification } from "@stemma/a2a-server";
import type { A2aPushConfig, A2aStreamResponse } from "@stemma/client/a2a";
import { toVisibleEvent } from "../runs/caller-view";
import type { Runs } from "../runs/runs";
import type { Database } from "../store/database";
import type { WorkspaceTables } from "../store/workspace-tables";
import type { PostOutcome } from "./post-news";
import {
	abandonPushConfig,
	advancePushConfig,
	findPushConfig,
	type PushConfigKey,
	type PushConfigRow,
} from "./push-config-rows";
import { openPushSecrets, type PushSealing } from "./push-secrets";
import { findTask } from "./task-rows";

export interface NewsSources extends PushSealing {
	readonly database: Pick<Database<WorkspaceTables>, "read" | "write">;
	readonly runs: Pick<Runs, "watch">;
}

/** One thing that a receiver is owed. */
export interface OwedNews {
	/** With its secrets. */
	readonly receiver: A2aPushConfig;
	readonly news: A2aStreamResponse;
	/** When it happened, in epoch milliseconds. */
	readonly at: number;
}

/**
 * Tells one receiver what it is owed, and what happens from then on, until the run has ended or it wants no more.
 *
 * @param post - what it throws ends this; it is owed still.
 * @throws LockedReceiverError
 */
export async function deliverNews(
	key: PushConfigKey,
	{ database, runs, ...sealing }: NewsSources,
	post: (owed: OwedNews) => Promise<PostOutcome>,
	signal: AbortSignal,
): Promise<void> {
	const { write } = database;
	const config = await findPushConfig(database.read, key);
	const task = await findTask(database.read, key.run_id);
	if (config === undefined || config.is_over === 1 || task === undefined) return;
	const receiver = toReceiver(config, sealing);
	const createdAt = new Date(task.created_at).toISOString();
	let progress = createTaskProgress({ taskId: key.run_id, contextId: task.context_id }, createdAt);
	for await (const events of runs.watch(key.run_id, 0, signal, { untilEnd: true }))
		for (const event of events) {
			const visible = toVisibleEvent(event, config.exposure);
			if (visible === undefined) continue;
			progress = followTask(progress, visible).progress;
			const news = event.seq > config.delivered_seq ? toNotification(visible, progress) : undefined;
			if (news === undefined) continue;
			const outcome = await post({ receiver, news, at: Date.parse(event.at) });
			if (outcome === "gone") return abandonPushConfig(write, config);
			const isOver = isTerminal(progress.status.state);
			if (!(await advancePushConfig(write, config, event.seq, isOver)) || isOver) return;
		}
}

/** No key opens what a receiver is sent; one that does comes with another start. */
export class LockedReceiverError extends Error {
	constructor() {
		super(
			"No encryption key opens what a receiver of push notifications is sent: it is told nothing until encryption.keys has that key again.",
		);
	}
}

function toReceiver(config: PushConfigRow, sealing: PushSealing): A2aPushConfig {
	const secrets = openPushSecrets(config, sealing);
	if (secrets === undefined) throw new LockedReceiverError();
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
