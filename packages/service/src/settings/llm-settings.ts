import type {
	LlmSettings,
	LlmSettingsTestRequest,
	LlmSettingsUpdate,
	SavedLlmSettings,
} from "@stemma/client";
import { clock } from "@stemma/core/internal";
import type { Selectable } from "kysely";
import { recordAudit } from "../audit/audit";
import type { AuditAuthor } from "../audit/audit-author";
import type { CiphertextBinding, Keyring } from "../encryption/keyring";
import { Secret } from "../encryption/secret";
import { DomainError } from "../errors/domain-error";
import type { WorkspaceCredential } from "../models/workspace-credential";
import type { Redactor } from "../redaction/redactor";
import type { Database } from "../store/database";
import type { WorkspaceTables } from "../store/workspace-tables";
import { canMoveKey } from "./can-move-key";
import type { CheckEndpoint } from "./check-endpoint";
import { type CheckedSettings, checkKey, checkSettings } from "./check-settings";
import type { LlmSettingsRow } from "./settings-tables";

/** The model settings of one workspace. */
export interface LlmSettingsStore {
	/**
	 * Settings as calls use them, with the key opened; `undefined` where none are set, and where the service has no
	 * encryption key: settings without a key that are left from before are ignored then.
	 */
	open(): Promise<WorkspaceCredential | undefined>;
	/** Settings as they are shown; `undefined` where none are set. */
	read(): Promise<LlmSettings | undefined>;
	/**
	 * @throws DomainError 422 that names the field: `api_key_required` where a key that is stored may not go along, and what
	 * {@link checkSettings}, {@link CheckEndpoint} and {@link checkKey} throw.
	 */
	set(update: LlmSettingsUpdate, author: AuditAuthor): Promise<SavedLlmSettings>;
	/**
	 * Prepares a test: returns what would be called if the settings of the request were stored. Nothing is called.
	 *
	 * @throws DomainError as {@link set}, and `not_set` where neither the request nor the stored settings say what to
	 * call.
	 */
	prepare(request: LlmSettingsTestRequest): Promise<PreparedSettings>;
	/** Writes down that settings were tested, and how that went. */
	recordTest(prepared: PreparedSettings, code: string, author: AuditAuthor): Promise<void>;
	/** False where there were none. */
	delete(author: AuditAuthor): Promise<boolean>;
}

export interface PreparedSettings extends WorkspaceCredential {
	readonly warnings: readonly string[];
}

type Row = Selectable<LlmSettingsRow>;
type SettingsDatabase = Pick<Database<WorkspaceTables>, "read" | "write">;

export interface LlmSettingsOptions {
	readonly database: SettingsDatabase;
	readonly workspaceId: string;
	readonly keyring: Keyring;
	readonly redactor: Pick<Redactor, "add">;
	readonly checkEndpoint: CheckEndpoint;
	/** Runs after settings were set or cleared. */
	readonly onChange: () => void;
}

export function createLlmSettings({
	database,
	workspaceId,
	keyring,
	redactor,
	checkEndpoint,
	onChange,
}: LlmSettingsOptions): LlmSettingsStore {
	const toBinding = (settings: Pick<Row, "provider" | "base_url">): CiphertextBinding => ({
		workspaceId,
		purpose: `llm_settings:${settings.provider}`,
		address: settings.base_url,
	});
	/** No log tells of what is in use. */
	function addToRedactor(secret: Secret | undefined): Secret | undefined {
		if (secret !== undefined) redactor.add(secret);
		return secret;
	}
	const openKey = (row: Row): Secret | undefined =>
		row.api_key === null ? undefined : addToRedactor(keyring.decrypt(row.api_key, toBinding(row)));

	const readRow = (from: SettingsDatabase["read"] = database.read): Promise<Row | undefined> =>
		from.selectFrom("llm_settings").selectAll().executeTakeFirst();

	/** The key that settings will have: the one that is sent, none, or the stored one where it may go along. */
	function resolveKey(
		stored: Row | undefined,
		settings: CheckedSettings,
		requestedKey: string | null | undefined,
	): Secret | undefined {
		if (requestedKey !== undefined)
			return requestedKey === null ? undefined : addToRedactor(new Secret(requestedKey));
		if (stored === undefined || stored.api_key === null) return undefined;
		if (!canMoveKey(stored, settings)) throw apiKeyRequiredError();
		const opened = openKey(stored);
		if (opened === undefined) throw undecryptableError();
		return opened;
	}

	return {
		async open() {
			const row = keyring.isEmpty ? undefined : await readRow();
			if (row === undefined) return undefined;
			const apiKey = openKey(row);
			return {
				workspaceId,
				settings: toModels(row, apiKey),
				...(apiKey && { apiKey }),
				version: JSON.stringify([row.provider, row.base_url, row.api_key]),
			};
		},
		async read() {
			const row = await readRow();
			return row && toLlmSettings(row, openKey(row));
		},
		async set(update, { actor, requestId }) {
			const settings = checkSettings(update);
			const { provider, base_url, model, warnings } = settings;
			await checkEndpoint(settings, typeof update.api_key === "string");
			const now = clock.now();
			// Decided where nobody else can write: a key never follows an address that it was not stored for.
			const row = await database.write.transaction().execute(async (transaction) => {
				const stored = await readRow(transaction);
				const key = resolveKey(stored, settings, update.api_key);
				checkKey(settings, key?.reveal());
				const changed: Row = {
					id: 1,
					provider,
					base_url,
					model,
					api_key: key === undefined ? null : keyring.encrypt(key, toBinding(settings)),
					created_at: stored?.created_at ?? now,
					updated_at: now,
					updated_by: actor,
				};
				await transaction
					.insertInto("llm_settings")
					.values(changed)
					.onConflict((conflict) => conflict.column("id").doUpdateSet(changed))
					.execute();
				await recordAudit(transaction, {
					action: "llm_settings.set",
					actor,
					requestId: requestId ?? null,
					target: "llm_settings",
					details: { provider, base_url, model, api_key: describeKey(update.api_key, key) },
				});
				return changed;
			});
			onChange();
			return { ...toLlmSettings(row, openKey(row)), warnings };
		},
		async prepare(request) {
			const stored = await readRow();
			if (stored === undefined && (request.provider ?? request.base_url ?? request.model) === undefined)
				throw settingsNotSetError();
			const settings = checkSettings(mergeSettings(stored, request));
			await checkEndpoint(settings, typeof request.api_key === "string");
			const key = resolveKey(stored, settings, request.api_key);
			checkKey(settings, key?.reveal());
			const { provider, base_url, model, warnings } = settings;
			return {
				workspaceId,
				settings: { provider, base_url, model, has_api_key: key !== undefined, status: "ok" },
				...(key && { apiKey: key }),
				warnings,
			};
		},
		recordTest: ({ settings: { provider, base_url, model } }, outcome, { actor, requestId }) =>
			recordAudit(database.write, {
				action: "llm_settings.tested",
				actor,
				requestId: requestId ?? null,
				target: "llm_settings",
				details: { provider, base_url, model, outcome },
			}),
		async delete({ actor, requestId }) {
			const deleted = await database.write.transaction().execute(async (transaction) => {
				const { numDeletedRows } = await transaction.deleteFrom("llm_settings").executeTakeFirst();
				if (numDeletedRows === 0n) return false;
				await recordAudit(transaction, {
					action: "llm_settings.cleared",
					actor,
					requestId: requestId ?? null,
					target: "llm_settings",
				});
				return true;
			});
			if (deleted) onChange();
			return deleted;
		},
	};
}

/** Merges the settings of a test with the stored ones, which fill in what the request leaves out. */
function mergeSettings(stored: Row | undefined, request: LlmSettingsTestRequest) {
	const provider = request.provider ?? stored?.provider;
	const base_url = request.base_url ?? stored?.base_url;
	const model = request.model ?? stored?.model;
	const missing = provider === undefined ? "provider" : base_url === undefined ? "base_url" : "model";
	if (provider === undefined || base_url === undefined || model === undefined)
		throw missingFieldError(missing);
	return { provider, base_url, model };
}

const toStatus = ({ api_key }: Row, opened: Secret | undefined): "ok" | "undecryptable" =>
	api_key !== null && opened === undefined ? "undecryptable" : "ok";

const toModels = (row: Row, opened: Secret | undefined) => ({
	provider: row.provider,
	base_url: row.base_url,
	model: row.model,
	has_api_key: row.api_key !== null,
	status: toStatus(row, opened),
});

const toLlmSettings = (row: Row, opened: Secret | undefined): LlmSettings => ({
	...toModels(row, opened),
	created_at: new Date(row.created_at).toISOString(),
	updated_at: new Date(row.updated_at).toISOString(),
	updated_by: row.updated_by,
});

function describeKey(requestedKey: string | null | undefined, key: Secret | undefined): string {
	if (requestedKey === undefined) return key === undefined ? "none" : "kept";
	return requestedKey === null ? "removed" : "replaced";
}

const settingsNotSetError = (): DomainError =>
	new DomainError("not_set", "This workspace has no model settings that could be tested.", {
		hint: "Send `provider`, `base_url` and `model` with the test, or store them first: PUT /v1/workspace/llm-settings.",
	});

const missingFieldError = (field: string): DomainError =>
	new DomainError("invalid_settings", `\`${field}\` is missing, and none is stored.`, {
		hint: "Send `provider`, `base_url` and `model`, or store settings first.",
		param: field,
	});

const apiKeyRequiredError = (): DomainError =>
	new DomainError(
		"api_key_required",
		"The stored key was given for another address, and is sent only to that address.",
		{
			hint: "Send the `api_key` again, or `null` for an endpoint without one.",
			param: "api_key",
		},
	);

const undecryptableError = (): DomainError =>
	new DomainError("credential_undecryptable", "No encryption key of the service decrypts the stored key.", {
		hint: "Send the `api_key` again, or ask the operator for the key that it was encrypted with.",
		param: "api_key",
	});
