import type { RunHead } from "@stemma/runs";
import type { Visibility } from "../../runs/visibility";

/** Push configuration of a task, as it is stored. */
export interface StoredPushConfig {
	readonly run_id: string;
	/** Unique within the task. */
	readonly id: string;
	readonly url: string;
	/** Authentication scheme, such as `Bearer`. */
	readonly scheme: string | null;
	/** An envelope; see `push-secrets.ts`. `null` where there are no secrets, or none are needed any more. */
	readonly secrets: string | null;
	/** `cl_…` */
	readonly set_by: string;
	/** Visibility of the run for that client. */
	readonly visibility: Visibility;
	/** Sequence number up to which the receiver has all events. */
	readonly delivered_seq: number;
	/** True once nothing more is to be delivered. */
	readonly is_finished: boolean;
	/** Epoch milliseconds; differs from that of the configuration that was replaced. */
	readonly created_at: number;
}

/** Primary key of a push configuration. */
export type PushConfigKey = Pick<StoredPushConfig, "run_id" | "id">;

/** Context that a new push configuration is created in. */
export interface PushConfigContext {
	/** The configuration to replace. */
	readonly existing?: StoredPushConfig | undefined;
	/** Number of push configurations of the task. */
	readonly count: number;
	/** Left out where the run is created in the same transaction. */
	readonly run?: RunHead | undefined;
}

/** Push configurations of the tasks of one workspace; each is deleted with its task. */
export interface PushConfigRepository {
	find(key: PushConfigKey): Promise<StoredPushConfig | undefined>;
	/** Lists the push configurations of a task by id. */
	list(runId: string): Promise<readonly StoredPushConfig[]>;
	/** Lists the push configurations with something left to deliver. */
	listPending(): Promise<readonly PushConfigKey[]>;
	/**
	 * Stores a push configuration, or replaces the one with the same id.
	 *
	 * @param create - called in the transaction; what it throws is thrown, and nothing is stored.
	 */
	replace(key: PushConfigKey, create: (context: PushConfigContext) => StoredPushConfig): Promise<void>;
	delete(key: PushConfigKey): Promise<void>;
	/** Ends a push configuration: nothing more is delivered, and its secrets are deleted. */
	finish(key: PushConfigKey): Promise<void>;
	/**
	 * Ends all push configurations that a client has set.
	 *
	 * @returns the configurations that had something left to deliver.
	 */
	finishAllOf(clientId: string): Promise<readonly PushConfigKey[]>;
	/**
	 * Records how far a receiver is; a configuration that is finished loses its secrets.
	 *
	 * @returns false where the configuration was deleted, or replaced by another one since.
	 */
	advance(config: StoredPushConfig, seq: number, isFinished: boolean): Promise<boolean>;
}
