import type { WorkspaceSecret, WorkspaceSecretUpdate } from "@stemma/client";
import { clock, quote } from "@stemma/core/internal";
import type { AuditAuthor } from "../audit/audit-author";
import type { Secret } from "../encryption/secret";
import { DomainError } from "../errors/domain-error";
import type { PageRequest } from "../pagination";
import type { CheckServer } from "../settings/check-endpoint";
import { createSecretCipher, type SecretCipherOptions } from "./secret-cipher";
import type { SecretRepository, StoredSecret } from "./secret-repository";

/** The secrets that the tools of one workspace send, each bound to one server. */
export interface WorkspaceSecrets {
	/** @throws DomainError `value_required` where the stored value may not go along to another server. */
	set(name: string, update: WorkspaceSecretUpdate, author: AuditAuthor): Promise<WorkspaceSecret>;
	/** @throws DomainError `secret_not_found` */
	get(name: string): Promise<WorkspaceSecret>;
	/** Lists secrets by name; one more than `limit`, where there are more. */
	list(page: PageRequest): Promise<readonly WorkspaceSecret[]>;
	/** @throws DomainError `secret_not_found` */
	delete(name: string, author: AuditAuthor): Promise<void>;
	/**
	 * The value, to be sent to its server and nowhere else.
	 *
	 * @returns undefined where there is none of that name for that server, or where it cannot be opened.
	 */
	open(name: string, serverUrl: string): Promise<Secret | undefined>;
}

export interface WorkspaceSecretsOptions extends SecretCipherOptions {
	readonly repository: SecretRepository;
	readonly checkServer: CheckServer;
}

export function createWorkspaceSecrets(options: WorkspaceSecretsOptions): WorkspaceSecrets {
	const { repository, redactor, checkServer } = options;
	const { decrypt, resolveValue } = createSecretCipher(options);
	const toSecret = (row: StoredSecret): WorkspaceSecret => ({
		name: row.name,
		server_url: row.server_url,
		status: decrypt(row) === undefined ? "undecryptable" : "ok",
		created_at: new Date(row.created_at).toISOString(),
		updated_at: new Date(row.updated_at).toISOString(),
		updated_by: row.updated_by,
	});

	return {
		async set(name, { server_url: address, value }, author) {
			const server_url = parseServerUrl(address);
			await checkServer(server_url);
			const now = clock.now();
			const secret = await repository.replace(name, (stored, count) => {
				if (stored === undefined && count >= MAX_SECRETS) throw tooManySecretsError();
				const encrypted = resolveValue(stored, { name, server_url }, value);
				const created_at = stored?.created_at ?? now;
				const details = { server_url, value: value === undefined ? "kept" : "replaced" };
				return {
					secret: {
						...{ name, server_url, value: encrypted },
						...{ created_at, updated_at: now, updated_by: author.actor },
					},
					audit: { ...author, action: "secret.set", target: name, details },
				};
			});
			return toSecret(secret);
		},
		async get(name) {
			const row = await repository.find(name);
			if (row === undefined) throw secretNotFoundError(name);
			return toSecret(row);
		},
		list: async (page) => (await repository.list(page)).map(toSecret),
		async delete(name, author) {
			const deleted = await repository.delete(name, { ...author, action: "secret.deleted", target: name });
			if (!deleted) throw secretNotFoundError(name);
		},
		async open(name, serverUrl) {
			const row = await repository.find(name);
			if (row === undefined || row.server_url !== serverUrl) return undefined;
			const value = decrypt(row);
			if (value !== undefined) redactor.add(value);
			return value;
		},
	};
}

/** @throws DomainError that repeats nothing of it: there may be a secret in it. */
function parseServerUrl(text: string): string {
	const url = URL.parse(text);
	const isPlain = url !== null && `${url.username}${url.password}${url.search}${url.hash}` === "";
	if (!isPlain || !/^https?:$/.test(url.protocol))
		throw new DomainError("server_url_not_plain", "`server_url` must be a plain address with https.", {
			hint: "Write it as https://tools.example.com/mcp, without user info, query and fragment.",
			param: "server_url",
		});
	return url.href.replace(/\/$/, "");
}

/** More than anybody has tools for. */
const MAX_SECRETS = 1000;

const tooManySecretsError = (): DomainError =>
	new DomainError("too_many_secrets", `A workspace can have at most ${MAX_SECRETS} secrets.`, {
		hint: "Delete those that no tool uses any more.",
	});

const secretNotFoundError = (name: string): DomainError =>
	new DomainError("secret_not_found", `There is no secret ${quote(name)}.`, {
		hint: "GET /v1/workspace/secrets lists them.",
	});
