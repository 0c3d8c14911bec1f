import { clock } from "@stemma/core/internal";
import { toClaimOwner } from "../../http/idempotency/idempotency-claim";
import type { ServiceContext } from "../../http/service-context";
import type { StoredRun } from "../../runs/stored-run";
import type { IdempotencyKey } from "../../store/idempotency-repository";

/** Time for which the last run of a chat is found again. */
const CHAT_TTL_MS = 24 * 60 * 60 * 1000;

/** Stores the last run of a chat. Visitors with a client key are told apart by their secrets; without one, nothing is stored. */
export async function recordChatRun(context: ServiceContext, run: StoredRun, chatId: string): Promise<void> {
	const key = toChatKey(context, run.agent_id, chatId);
	if (key === undefined) return;
	await context.get("workspace").store.idempotency.replace({
		...key,
		body_fingerprint: "",
		reference: run.id,
		status: null,
		answer: null,
		expires_at: clock.now() + CHAT_TTL_MS,
	});
}

/** Finds the last run of a chat of this caller with an agent. */
export async function findChatRun(
	context: ServiceContext,
	agentId: string,
	chatId: string,
): Promise<StoredRun | undefined> {
	const key = toChatKey(context, agentId, chatId);
	if (key === undefined) return undefined;
	const { idempotency, runs } = context.get("workspace").store;
	const record = await idempotency.find(key, clock.now());
	return record?.reference == null ? undefined : runs.find(record.reference);
}

function toChatKey(context: ServiceContext, agentId: string, chatId: string): IdempotencyKey | undefined {
	const { caller_id, isShared } = toClaimOwner(context, context.get("kernel").fingerprint);
	return isShared ? undefined : { caller_id, route: `chat ${agentId}`, key: chatId };
}
