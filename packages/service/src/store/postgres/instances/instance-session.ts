import { clock, sleep } from "@stemma/core/internal";
import type { InstanceState } from "../../../telemetry/database-connections";
import type { InstanceBus } from "../../claims/instance-bus";
import { StorageError } from "../../storage-error";
import { openPostgresSession, type PostgresSession } from "../connection/postgres-pool";
import { INSTANCE_CHANNEL } from "./instance-channel";
import { shareInstanceLock } from "./instance-lock";
import { joinInstances, renewLease } from "./join-instances";
import type { InstanceDescription } from "./stored-instance";
import { createTopicListeners } from "./topic-listeners";

const HEARTBEAT_MS = 5_000;
const RETRY_MS = 500;
/** Time in milliseconds after which a server that does not answer counts as one that cannot be reached. */
const ANSWER_TIMEOUT_MS = 5_000;

/** Sends messages in one transaction, which waits for no disk. */
const NOTIFY_SQL = "select pg_notify($1, message) from unnest($2::text[]) as message";

/** Instance among those that serve a database: it holds a lease, and hears what the others notify. */
export interface InstanceSession {
	/** `ins_…` */
	readonly id: string;
	readonly bus: InstanceBus;
	readState(): InstanceState;
	/** Gives the lease back, so that others take over at once. */
	close(): Promise<void>;
}

/** Deletes instances that ended long ago. Their claims count as left, with or without their row. */
const FORGET_SQL = "delete from stemma_deployment.instances where lease_until < now() - interval '1 hour'";

/**
 * Joins the instances of a database, on a connection of its own: it takes notifications, which a pooler does not hand on, and
 * holds the lock that keeps commands from having the database for themselves. Where the connection is lost, there is a new one
 * as soon as the server can be reached.
 *
 * @throws ConfigurationError as {@link shareInstanceLock} and {@link joinInstances}; StorageError where there is no connection.
 */
export async function openInstanceSession(
	url: string,
	description: InstanceDescription,
): Promise<InstanceSession> {
	const { id } = description;
	const listeners = createTopicListeners();
	const closing = new AbortController();
	let [renewedAt, reconnects] = [clock.now(), 0];
	const renew = async (session: PostgresSession): Promise<void> => {
		await withTimeout(renewLease(session, description));
		renewedAt = clock.now();
	};
	/** @param join - gives the instance its lease. */
	async function open(join: (session: PostgresSession) => Promise<void>): Promise<PostgresSession> {
		const session = await openPostgresSession(url);
		try {
			await withTimeout(shareInstanceLock(session));
			session.onNotification(listeners.emit);
			await withTimeout(session.query(`listen ${INSTANCE_CHANNEL}`));
			await join(session);
			await withTimeout(session.query(FORGET_SQL));
			return session;
		} catch (error) {
			await withTimeout(session.close()).catch(() => undefined);
			throw error;
		}
	}
	/** Renews the lease until that fails. */
	async function keep(session: PostgresSession): Promise<void> {
		try {
			for (;;) {
				await sleep(HEARTBEAT_MS, AbortSignal.any([closing.signal, session.ended]));
				if (closing.signal.aborted || session.ended.aborted) return;
				await renew(session);
			}
		} catch {
			// The next connection does it.
		} finally {
			if (!closing.signal.aborted) await withTimeout(session.close()).catch(() => undefined);
		}
	}
	let current = await open((session) => joinInstances(session, description));
	async function run(): Promise<void> {
		while (!closing.signal.aborted) {
			await keep(current);
			if (closing.signal.aborted) return;
			await sleep(RETRY_MS, closing.signal);
			const next = await open(renew).catch(() => undefined);
			if (next === undefined) continue;
			current = next;
			reconnects += 1;
			listeners.emitMissed();
		}
	}
	const running = run();
	return {
		id,
		readState: () => ({ leaseAgeMs: clock.now() - renewedAt, reconnects }),
		bus: {
			...listeners,
			async publish(topic, ...payloads) {
				const messages = payloads.map((payload) => JSON.stringify({ topic, payload }));
				await withTimeout(current.query(NOTIFY_SQL, [INSTANCE_CHANNEL, messages]));
			},
		},
		async close() {
			closing.abort();
			await running;
			await withTimeout(current.query("delete from stemma_deployment.instances where id = $1", [id])).catch(
				() => undefined,
			);
			await withTimeout(current.close()).catch(() => undefined);
		},
	};
}

async function withTimeout<Result>(work: Promise<Result>): Promise<Result> {
	const { promise, reject } = Promise.withResolvers<never>();
	const timer = setTimeout(() => reject(noAnswerError()), ANSWER_TIMEOUT_MS);
	try {
		return await Promise.race([work, promise]);
	} finally {
		clearTimeout(timer);
	}
}

const noAnswerError = (): StorageError =>
	new StorageError("The database does not answer.", {
		code: "storage_unavailable",
		hint: "Look at the database server.",
	});
