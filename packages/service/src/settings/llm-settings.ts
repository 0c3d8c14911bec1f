import type {
	AuditAction,
	LlmSettings,
	LlmSettingsTestRequest,
	LlmSettingsUpdate,
	SavedLlmSettings,
} from "@stemma/client";
import type { JsonObject } from "@stemma/core";
import { clock } from "@stemma/core/internal";
import type { AuditAuthor } from "../audit/audit-author";
import type { AuditEntry } from "../audit/audit-record";
import type { AuditRepository } from "../audit/audit-repository";
import type { Secret } from "../encryption/secret";
import { DomainError } from "../errors/domain-error";
import type { WorkspaceCredential } from "../models/chat-models";
import type { CheckEndpoint } from "./check-endpoint";
import { checkKey, checkSettings } from "./check-settings";
import { createSettingsKeys, type SettingsKeyOptions } from "./settings-keys";
import type { LlmSettingsRepository, StoredLlmSettings } from "./settings-repository";

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

export interface LlmSettingsOptions extends SettingsKeyOptions {
	readonly repository: LlmSettingsRepository;
	readonly audit: Pick<AuditRepository, "record">;
	readonly checkEndpoint: CheckEndpoint;
	/** Runs after settings were set or cleared. */
	readonly onChange: () => void;
}

export function createLlmSettings(options: LlmSettingsOptions): LlmSettingsStore {
	const { repository, audit, workspaceId, keyring, checkEndpoint, onChange } = options;
	const { openKey, resolveKey, encryptKey } = createSettingsKeys(options);
	return {
		async open() {
			const row = keyring.isEmpty ? undefined : await repository.find();
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
			const row = await repository.find();
			return row && toLlmSettings(row, openKey(row));
		},
		async set(update, author) {
			const settings = checkSettings(update);
			const { provider, base_url, model, warnings } = settings;
			await checkEndpoint(settings, typeof update.api_key === "string");
			const now = clock.now();
			// Decided where nobody else can write: a key never follows an address that it was not stored for.
			const row = await repository.replace((stored) => {
				const key = resolveKey(stored, settings, update.api_key);
				checkKey(settings, key?.reveal());
				const api_key = key === undefined ? null : encryptKey(key, settings);
				const created_at = stored?.created_at ?? now;
				const details = { provider, base_url, model, api_key: describeKey(update.api_key, key) };
				return {
					settings: {
						...{ id: 1, provider, base_url, model, api_key },
						...{ created_at, updated_at: now, updated_by: author.actor },
					},
					audit: toAudit("llm_settings.set", author, details),
				};
			});
			onChange();
			return { ...toLlmSettings(row, openKey(row)), warnings };
		},
		prepare: (request) => prepareTest(options, resolveKey, request),
		recordTest: ({ settings: { provider, base_url, model } }, outcome, author) =>
			audit.record(toAudit("llm_settings.tested", author, { provider, base_url, model, outcome })),
		async delete(author) {
			const deleted = await repository.delete(toAudit("llm_settings.cleared", author));
			if (deleted) onChange();
			return deleted;
		},
	};
}

async function prepareTest(
	{ repository, workspaceId, checkEndpoint }: LlmSettingsOptions,
	resolveKey: ReturnType<typeof createSettingsKeys>["resolveKey"],
	request: LlmSettingsTestRequest,
): Promise<PreparedSettings> {
	const stored = await repository.find();
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
}

const toAudit = (action: AuditAction, author: AuditAuthor, details: JsonObject = {}): AuditEntry => ({
	...author,
	action,
	target: "llm_settings",
	details,
});

/** Merges the settings of a test with the stored ones, which fill in what the request leaves out. */
function mergeSettings(stored: StoredLlmSettings | undefined, request: LlmSettingsTestRequest) {
	const provider = request.provider ?? stored?.provider;
	const base_url = request.base_url ?? stored?.base_url;
	const model = request.model ?? stored?.model;
	const missing = provider === undefined ? "provider" : base_url === undefined ? "base_url" : "model";
	if (provider === undefined || base_url === undefined || model === undefined)
		throw missingFieldError(missing);
	return { provider, base_url, model };
}

const toStatus = ({ api_key }: StoredLlmSettings, opened: Secret | undefined): "ok" | "undecryptable" =>
	api_key !== null && opened === undefined ? "undecryptable" : "ok";

const toModels = (row: StoredLlmSettings, opened: Secret | undefined) => ({
	provider: row.provider,
	base_url: row.base_url,
	model: row.model,
	has_api_key: row.api_key !== null,
	status: toStatus(row, opened),
});

const toLlmSettings = (row: StoredLlmSettings, opened: Secret | undefined): LlmSettings => ({
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
