import { createSemaphore } from "@stemma/core/internal";
import {
	HandleEmptyInListsPlugin,
	Kysely,
	type KyselyPlugin,
	replaceWithNoncontingentExpression,
	type Transaction,
} from "kysely";
import type { Database, Queries } from "../database";
import type { DeploymentTables } from "../deployment-tables";
import type { JobInput, JobName, JobOutput } from "../jobs";
import { StorageError } from "../storage-error";
import { type ConnectionLock, noLock } from "../worker-threads/thread-dialect";
import type { WorkspaceTables } from "../workspace-tables";
import { createWriteLock, type WriteObserver } from "../write-lock";
import { createPostgresDialect } from "./connection/postgres-dialect";
import type { PostgresPool } from "./connection/postgres-pool";
import { retryTransaction } from "./connection/retry-transaction";
import { DEPLOYMENT_SCHEMA, type TransactionScope, WORKSPACE_SCHEMA } from "./connection/transaction-scope";
import { getPostgresJob } from "./jobs";
import { createVocabularyCache, type VocabularyCache } from "./knowledge/search/vocabulary-cache";
import { collectDocumentWords } from "./knowledge/word-index/document-words";
import type { CollectDocumentWords } from "./knowledge/word-index/word-collector";
import { createOwnRowsPlugin } from "./own-rows-plugin";
import type { PostgresJob } from "./postgres-job";
import { createReadQueue, type ReadQueue } from "./read-queue";

/** Tables of the deployment on Postgres. */
export interface PostgresDeployment extends Queries<DeploymentTables> {
	/** Ends its queries; the pool stays open. */
	close(): Promise<void>;
}

/** Opens the tables that all workspaces share. */
export function createPostgresDeployment(pool: PostgresPool): PostgresDeployment {
	const { read, write, close } = createQueries<DeploymentTables>(pool, { schema: DEPLOYMENT_SCHEMA }, []);
	return { read, write, close };
}

/** Parts that all workspaces of a pool share. */
export interface SharedByWorkspaces {
	/** Queue of reading jobs. Default: one of the workspace's own. */
	readonly reads?: ReadQueue;
	/** Words that searches have looked through. Default: a cache of the workspace's own. */
	readonly vocabularies?: VocabularyCache;
	/** Collects the words of documents before they are stored. Default: in this thread. */
	readonly collectWords?: CollectDocumentWords;
	/** Called after each write with its duration in milliseconds, and with the wait for its turn. Default: nothing. */
	readonly onWrite?: WriteObserver["onWrite"];
	/** Refuses writes once the workspace is deleted, as another instance may do. Default false. */
	readonly mustExist?: boolean;
}

/** Opens the rows of one workspace. */
export function createPostgresDatabase(
	pool: PostgresPool,
	workspaceId: string,
	{
		reads = createReadQueue(pool.size),
		vocabularies = createVocabularyCache(),
		collectWords = collectDocumentWords,
		onWrite,
		mustExist = false,
	}: SharedByWorkspaces = {},
): Database<WorkspaceTables> {
	const scope: TransactionScope = { schema: WORKSPACE_SCHEMA, workspaceId, mustExist };
	const queries = createQueries<WorkspaceTables>(pool, scope, [createOwnRowsPlugin(workspaceId)], {
		onWrite,
	});
	const { read, write } = queries;
	const cache = { workspaceId, vocabularies };
	return {
		...queries,
		readJob: <Name extends JobName>(name: Name, input: JobInput<Name>, signal?: AbortSignal) =>
			reads.run(
				workspaceId,
				() =>
					read
						.transaction()
						.setIsolationLevel("repeatable read")
						.execute(
							(transaction): Promise<JobOutput<Name>> => getPostgresJob(name)(transaction, input, cache),
						),
				{ signal },
			),
		async writeJob<Name extends JobName>(name: Name, input: JobInput<Name>): Promise<JobOutput<Name>> {
			const job: PostgresJob<JobInput<Name>, JobOutput<Name>> = getPostgresJob(name);
			const run =
				(await job.prepare?.(read, input, collectWords)) ??
				((transaction: Transaction<WorkspaceTables>) => job(transaction, input));
			return retryTransaction(() => write.transaction().execute(run));
		},
	};
}

type ClosableQueries<Tables> = Queries<Tables> & Pick<Database<Tables>, "close" | "closeAndReject">;

function createQueries<Tables>(
	pool: PostgresPool,
	scope: TransactionScope,
	plugins: readonly KyselyPlugin[],
	observer: WriteObserver = {},
): ClosableQueries<Tables> {
	// One connection for all writes: they would wait for each other in the database, and take it from other workspaces.
	const writeLock = createWriteLock(createSemaphore(1), observer);
	let wasClosed = false;
	const toLock = (lock: ConnectionLock): ConnectionLock => ({
		async acquire() {
			await lock.acquire();
			if (!wasClosed) return;
			lock.release();
			throw closedError();
		},
		release: lock.release,
	});
	const toQueries = (mode: "read" | "write", lock: ConnectionLock) =>
		new Kysely<Tables>({
			dialect: createPostgresDialect({ pool, scope, mode, lock: toLock(lock) }),
			plugins: [new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression }), ...plugins],
		});
	async function close(): Promise<void> {
		await writeLock.acquire();
		wasClosed = true;
	}
	return {
		read: toQueries("read", noLock),
		write: toQueries("write", writeLock),
		close,
		async closeAndReject() {
			await close();
			writeLock.release();
		},
	};
}

const closedError = (): StorageError =>
	new StorageError("The workspace is closed.", {
		code: "storage_unavailable",
		hint: "It is being deleted, or the service is stopping.",
	});
