import { hostname } from "node:os";
import { ConfigurationError } from "@stemma/core/errors";
import type { DatabaseConfiguration } from "../../configuration/configuration";
import { createId } from "../../create-id";
import type { KeyFingerprint } from "../../encryption/keyring";
import { STEMMA_VERSION } from "../../stemma-version";
import type { Queries } from "../database";
import { createDeploymentStore } from "../repositories/deployment/deployment-store";
import { createWorkspaceStore } from "../repositories/workspace-store";
import { StorageError } from "../storage-error";
import type { StoreOpener, WorkspaceOpening } from "../store-opener";
import type { WorkspaceStore } from "../workspace-store";
import type { WorkspaceTables } from "../workspace-tables";
import type { WriteObserver } from "../write-lock";
import { createEventNotifier, type EventNotifier } from "./claims/event-notifier";
import { listInterruptedWorkspaces } from "./claims/interrupted-workspaces";
import { PostgresClaims } from "./claims/postgres-claims";
import { createWorkSignals, type WorkSignals } from "./claims/work-signals";
import {
	openPostgresPool,
	openPostgresSession,
	type PostgresClient,
	type PostgresPool,
} from "./connection/postgres-pool";
import { WORKSPACE_SCHEMA } from "./connection/transaction-scope";
import { deleteWorkspaceRows } from "./delete-workspace-rows";
import { type InstanceSession, openInstanceSession } from "./instances/instance-session";
import { createSharedMinuteCounts } from "./instances/shared-minute-counts";
import { createSharedPeriodicJobs } from "./instances/shared-periodic-jobs";
import { createVocabularyCache } from "./knowledge/search/vocabulary-cache";
import { createSharedPassageNumbers } from "./knowledge/shared-passage-numbers";
import { createWordCollector } from "./knowledge/word-index/word-collector";
import { isServable, migratePostgres, postgresMigrations } from "./migrate-postgres";
import { readDatabaseVersion } from "./migrations/database-version";
import {
	createPostgresDatabase,
	createPostgresDeployment,
	type SharedByWorkspaces,
} from "./postgres-database";
import { createReadQueue } from "./read-queue";
import { assertServer, hasVectorSearch } from "./server-requirements";

/** Options of the stores in a database. */
export interface PostgresStoresOptions extends DatabaseConfiguration {
	/** Refuses a database without pgvector. Default false. */
	readonly needsVectorSearch?: boolean;
	/** Fingerprints of the encryption keys, which all instances must have in common. Default: there are none. */
	readonly encryptionKeys?: readonly KeyFingerprint[];
	/** Called after each write of a workspace with its duration in milliseconds, and with the wait for its turn. Default: nothing. */
	readonly onWrite?: WriteObserver["onWrite"];
}

/**
 * Opens a database for one of its instances, and brings its tables up to date.
 *
 * @throws ConfigurationError `database_in_use` while a command has it for itself; `encryption_keys_differ`;
 * `database_unsuitable` for a server or role that the service does not work with; `vectors_unavailable`.
 * @throws StorageError where it cannot be reached or used.
 */
export async function startPostgresStores({
	url,
	ownerUrl,
	poolSize,
	needsVectorSearch = false,
	encryptionKeys = [],
	onWrite,
}: PostgresStoresOptions): Promise<StoreOpener> {
	const pool = await openPostgresPool(url.reveal(), poolSize);
	try {
		await prepareDatabase(pool, ownerUrl?.reveal(), url.reveal());
		if (needsVectorSearch) await assertVectorSearch(pool);
	} catch (error) {
		await pool.end();
		throw error;
	}
	const instance = await openInstanceSession(url.reveal(), {
		id: createId("ins"),
		version: STEMMA_VERSION,
		databaseVersion: postgresMigrations.length,
		host: hostname(),
		encryptionKeys,
	}).catch(async (error: unknown) => {
		await pool.end();
		throw error;
	});
	const words = createWordCollector();
	return {
		...createPostgresOpener(pool, instance, { onWrite, collectWords: words.collect }),
		async stop() {
			await words.stop();
			await instance.close();
			await pool.end();
		},
	};
}

/** Opens the stores of a database for one of its instances. */
export function createPostgresOpener(
	pool: PostgresPool,
	{ id: instanceId, bus, readState }: Pick<InstanceSession, "id" | "bus" | "readState">,
	options: Pick<SharedByWorkspaces, "onWrite" | "collectWords"> = {},
): Omit<Required<StoreOpener>, "stop"> {
	const reads = createReadQueue(pool.size);
	const vocabularies = createVocabularyCache();
	const signals = createWorkSignals(bus, instanceId);
	const events = createEventNotifier(bus, instanceId);
	return {
		bus,
		openDeployment: async () => createDeploymentStore(createPostgresDeployment(pool)),
		openWorkspace: (opening) =>
			openWorkspace(pool, opening, { ...options, reads, vocabularies, signals, events, instanceId }),
		deleteWorkspace: (id) => deleteWorkspaceRows(pool, id),
		listInterrupted: () => listInterruptedWorkspaces(pool),
		shared: {
			periodicJobs: createSharedPeriodicJobs(pool, instanceId),
			counts: createSharedMinuteCounts(pool),
			readDatabaseConnections: () => ({ ...pool.readState(), ...readState() }),
		},
	};
}

/** Parts that the workspaces of one instance share. */
interface InstanceParts extends SharedByWorkspaces {
	readonly signals: WorkSignals;
	readonly events: EventNotifier;
	readonly instanceId: string;
}

/** Brings the database up to date, where this is its owner or names it, or where this version cannot serve it as it is. */
async function prepareDatabase(pool: PostgresPool, ownerUrl: string | undefined, url: string): Promise<void> {
	const client = await pool.connect();
	let role: string;
	let canBeUsed: boolean;
	try {
		role = await assertServer(client);
		const isUpToDate = isServable(await readDatabaseVersion(client));
		canBeUsed = isUpToDate && ownerUrl === undefined && !(await ownsTables(client));
	} finally {
		client.release();
	}
	if (canBeUsed) return;
	const owner = await openPostgresSession(ownerUrl ?? url);
	try {
		await migratePostgres(owner, role);
	} finally {
		await owner.close();
	}
}

async function ownsTables({ query }: PostgresClient): Promise<boolean> {
	const { rows } = await query(
		"select nspowner = current_user::regrole as is_owner from pg_namespace where nspname = $1",
		[WORKSPACE_SCHEMA],
	);
	return rows[0]?.is_owner === 1;
}

async function assertVectorSearch(pool: PostgresPool): Promise<void> {
	const client = await pool.connect();
	const isThere = await hasVectorSearch(client).finally(() => client.release());
	if (isThere) return;
	throw new ConfigurationError(
		'"embeddings" is configured, but the database does not have the extension "vector".',
		{
			code: "vectors_unavailable",
			hint: 'Install pgvector and run "create extension vector" as a superuser, or remove "embeddings": passages are then found by words alone.',
		},
	);
}

async function openWorkspace(
	pool: PostgresPool,
	{ id, isKnown }: WorkspaceOpening,
	{ signals, events, instanceId, ...shared }: InstanceParts,
): Promise<WorkspaceStore> {
	await assertIdentity(createPostgresDatabase(pool, id), id, isKnown);
	const database = createPostgresDatabase(pool, id, { ...shared, mustExist: true });
	return createWorkspaceStore(database, {
		claims: new PostgresClaims({ database, workspaceId: id, instanceId, signals, events }),
		numbers: createSharedPassageNumbers(database.write),
	});
}

/** @throws StorageError `storage_missing` for a workspace that is known and was lost; one that is not known is created. */
async function assertIdentity(
	{ read, write }: Queries<WorkspaceTables>,
	id: string,
	isKnown: boolean,
): Promise<void> {
	const identity = await read.selectFrom("workspace_identity").select("id").executeTakeFirst();
	if (identity !== undefined) return;
	if (isKnown) throw lostWorkspaceError(id);
	await write
		.insertInto("workspace_identity")
		.values({ id })
		.onConflict((conflict) => conflict.doNothing())
		.execute();
}

/** An empty workspace in the place of one that is known would hide what was lost. */
const lostWorkspaceError = (id: string): StorageError =>
	new StorageError(`The database has no rows of the workspace ${id}, which the deployment knows.`, {
		code: "storage_missing",
		hint: "Restore the database from a backup.",
	});
