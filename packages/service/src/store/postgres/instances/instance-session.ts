import { sleep } from "@stemma/core/internal";
import type { InstanceBus } from "../../claims/instance-bus";
import { StorageError } from "../../storage-error";
import { openPostgresSession, type PostgresSession } from "../connection/postgres-pool";
import { createTopicListeners } from "./topic-listeners";

/** Channel of the messages between instances. */
export const INSTANCE_CHANNEL = "stemma";

/** Time in seconds after which an instance that says nothing counts as ended. */
export const LEASE_SECONDS = 15;

const HEARTBEAT_MS = 5_000;
const RETRY_MS = 500;
/** Time in milliseconds after which a server that does not answer counts as one that cannot be reached. */
const ANSWER_TIMEOUT_MS = 5_000;

/** Instance among those that serve a database: it holds a lease, and hears what the others notify. */
export interface InstanceSession {
	/** `ins_…` */
	readonly id: string;
	readonly bus: InstanceBus;
	/** Gives the lease back, so that others take over at once. */
	close(): Promise<void>;
}

/** Options of an instance. */
export interface InstanceSessionOptions {
	readonly id: string;
	/** Version of Stemma. */
	readonly version: string;
}

const RENEW_SQL = `
insert into stemma_deployment.instances (id, version, lease_until)
values ($1, $2, now() + interval '${LEASE_SECONDS} seconds')
on conflict (id) do update set lease_until = excluded.lease_until`;

/** Deletes instances that ended long ago. Their claims count as left, with or without their row. */
const FORGET_SQL = "delete from stemma_deployment.instances where lease_until < now() - interval '1 hour'";

/**
 * Joins the instances of a database, on a connection of its own: it takes notifications, which a pooler does not hand on. Where
 * the connection is lost, there is a new one as soon as the server can be reached.
 *
 * @throws StorageError where there is no connection.
 */
export async function openInstanceSession(
	url: string,
	{ id, version }: InstanceSessionOptions,
): Promise<InstanceSession> {
	const listeners = createTopicListeners();
	const closing = new AbortController();
	const renew = (session: PostgresSession) => withTimeout(session.query(RENEW_SQL, [id, version]));
	async function open(): Promise<PostgresSession> {
		const session = await openPostgresSession(url);
		session.onNotification(listeners.emit);
		await withTimeout(session.query(`listen ${INSTANCE_CHANNEL}`));
		await renew(session);
		await withTimeout(session.query(FORGET_SQL));
		return session;
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
	let current = await open();
	async function run(): Promise<void> {
		while (!closing.signal.aborted) {
			await keep(current);
			if (closing.signal.aborted) return;
			await sleep(RETRY_MS, closing.signal);
			const next = await open().catch(() => undefined);
			if (next === undefined) continue;
			current = next;
			listeners.emitMissed();
		}
	}
	const running = run();
	return {
		id,
		bus: listeners,
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
