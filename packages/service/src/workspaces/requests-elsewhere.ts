import { setTimeout as wait } from "node:timers/promises";
import { sleep } from "@stemma/core/internal";
import type { InstanceBus } from "../store/claims/instance-bus";
import type { Workspace } from "./workspace";
import type { Workspaces } from "./workspaces";

/** Topic of questions whether requests are in flight, and of the answers that some are. */
const REQUESTS_TOPIC = "requests";

interface RequestsMessage {
	readonly workspace: string;
	readonly type: "asked" | "in_flight";
}

/** Time in milliseconds that short requests of an instance get to end before it answers. */
const IDLE_MS = 1_000;
/** Time in milliseconds after which an instance that has not answered counts as idle. */
const ANSWER_MS = 2 * IDLE_MS;

/** Options of answering other instances. */
export interface RequestAnswerOptions {
	readonly bus: Pick<InstanceBus, "subscribe" | "publish">;
	readonly workspaces: Pick<Workspaces, "find">;
	readonly onError: (error: unknown) => void;
}

/** Answers other instances where requests, streams included, are in flight here, until the returned function is called. */
export function answerForRequests({ bus, workspaces, onError }: RequestAnswerOptions): () => void {
	async function answer(workspace: Workspace): Promise<void> {
		const { id, inFlight } = workspace;
		await Promise.race([inFlight.whenIdle(), wait(IDLE_MS, undefined, { ref: false })]);
		if (inFlight.size > 0) await send(bus, { workspace: id, type: "in_flight" });
	}
	return bus.subscribe(REQUESTS_TOPIC, (payload) => {
		const { type, workspace } = payload as RequestsMessage;
		const asked = type === "asked" ? workspaces.find(workspace) : undefined;
		if (asked !== undefined) answer(asked).catch(onError);
	});
}

/**
 * Asks all instances whether requests are in flight in a workspace; resolves once one of them has some, or none has answered
 * for {@link ANSWER_MS}.
 */
export async function hasRequestsInFlight(
	bus: Pick<InstanceBus, "subscribe" | "publish">,
	workspace: string,
): Promise<boolean> {
	const answered = new AbortController();
	const stop = bus.subscribe(REQUESTS_TOPIC, (payload) => {
		const answer = payload as RequestsMessage;
		if (answer.type === "in_flight" && answer.workspace === workspace) answered.abort();
	});
	try {
		await send(bus, { workspace, type: "asked" });
		await sleep(ANSWER_MS, answered.signal);
		return answered.signal.aborted;
	} finally {
		stop();
	}
}

const send = (bus: Pick<InstanceBus, "publish">, message: RequestsMessage): Promise<void> =>
	bus.publish(REQUESTS_TOPIC, message);
