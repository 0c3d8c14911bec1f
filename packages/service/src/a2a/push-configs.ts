import { A2aServerError } from "@stemma/a2a-server";
import type { A2aPushConfig } from "@stemma/client/a2a";
import { clock } from "@stemma/core/internal";
import type { Caller } from "../auth/caller";
import { DomainError } from "../errors/domain-error";
import { visibilityOf } from "../runs/visibility";
import type { CheckServer } from "../settings/check-endpoint";
import { encryptPushSecrets, type PushEncryption } from "./push-secrets";
import type { PushConfigContext, StoredPushConfig } from "./repositories/push-config-repository";

/** Push configurations of tasks: where their notifications may be sent. */
export interface PushConfigs {
	/**
	 * Checks whether a caller may use push notifications. False without an encryption key, and for client keys: every
	 * reader of a page has its key, and could have the service send requests to any address.
	 */
	isAvailableTo(caller: Caller): boolean;
	/** Checks the address of a receiver. @throws A2aServerError for an address that may not be called. */
	check(caller: Caller, url: string): Promise<void>;
	/**
	 * Creates a push configuration to be stored. The receiver is notified of what happens from now on; of a task that is
	 * over, of how it ended.
	 *
	 * @param config.taskId - the id of the run.
	 * @throws A2aServerError where a task has too many.
	 */
	create(caller: Caller, config: A2aPushConfig, context: PushConfigContext): StoredPushConfig;
}

export interface PushConfigsOptions extends PushEncryption {
	readonly checkServer: CheckServer;
}

const MAX_CONFIGS_PER_TASK = 10;
const MAX_URL_CHARACTERS = 2000;

export function createPushConfigs({ checkServer, ...encryption }: PushConfigsOptions): PushConfigs {
	return {
		isAvailableTo: ({ kind }) => kind === "client" && !encryption.keyring.isEmpty,
		async check(caller, url) {
			if (url.length > MAX_URL_CHARACTERS) throw urlTooLong();
			try {
				await checkServer(url);
			} catch (error) {
				throw toUrlError(error, caller);
			}
		},
		create(caller, config, { existing, count, run }) {
			if (existing === undefined && count >= MAX_CONFIGS_PER_TASK) throw tooManyConfigs();
			const binding = { run_id: config.taskId, id: config.id, url: config.url };
			return {
				...binding,
				scheme: config.authentication?.scheme ?? null,
				secrets: encryptPushSecrets(config, binding, encryption),
				set_by: caller.id,
				visibility: visibilityOf(caller),
				delivered_seq: toDeliveredSeq(run),
				is_finished: false,
				// Tells it from the one before it.
				created_at: Math.max(clock.now(), (existing?.created_at ?? 0) + 1),
			};
		},
	};
}

const tooManyConfigs = (): A2aServerError =>
	new A2aServerError(
		"INVALID_PARAMS",
		`A task can have at most ${MAX_CONFIGS_PER_TASK} push configurations.`,
		{ code: "too_many_push_configs", hint: "Delete one of them first." },
	);

/** Sequence number up to which the receiver is assumed to have the events; 0 without a run. */
function toDeliveredSeq(run: PushConfigContext["run"]): number {
	if (run === undefined) return 0;
	return run.status === "running" ? run.lastSeq : run.lastSeq - 1;
}

const urlTooLong = (): A2aServerError =>
	new A2aServerError("INVALID_PARAMS", `url: It is longer than ${MAX_URL_CHARACTERS} characters.`, {
		code: "push_url_too_long",
		param: "url",
	});

/**
 * Converts the error of a refused URL to one of the protocol. Only callers who may change settings see how an operator
 * allows an address.
 */
function toUrlError(error: unknown, { scopes }: Caller): unknown {
	if (!(error instanceof DomainError)) return error;
	const isInsecure = error.code === "insecure_server_url";
	const message = isInsecure ? "Push notifications are not sent over plain HTTP." : error.message;
	const hint = isInsecure
		? "Give a url with https."
		: scopes.includes("settings:write")
			? error.hint
			: undefined;
	return new A2aServerError("INVALID_PARAMS", message, {
		code: isInsecure ? "insecure_push_url" : error.code,
		hint: hint ?? "Give a url of the public internet, with https.",
		param: "url",
		cause: error,
	});
}
