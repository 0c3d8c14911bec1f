import type { WorkspaceSecret, WorkspaceSecretUpdate } from "@stemma/client";
import { clock, quote } from "@stemma/core/internal";
import type { Selectable } from "kysely";
import { recordAudit } from "../audit/audit";
import type { AuditAuthor } from "../audit/audit-author";
import type { CiphertextBinding, Keyring } from "../encryption/keyring";
import { Secret } from "../encryption/secret";
import { DomainError } from "../errors/domain-error";
import type { PageRequest } from "../pagination";
import type { Redactor } from "../redaction/redactor";
import type { CheckServer } from "../settings/check-endpoint";
import type { Database } from "../store/database";
import type { WorkspaceTables } from "../store/workspace-tables";
import type { WorkspaceSecretRow } from "./workspace-secret-tables";

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

type Row = Selectable<WorkspaceSecretRow>;

export interface WorkspaceSecretsOptions {
	readonly database: Pick<Database<WorkspaceTables>, "read" | "write">;
	readonly workspaceId: string;
	readonly keyring: Keyring;
	readonly redactor: Pick<Redactor, "add">;
	readonly checkServer: CheckServer;
}

export function createWorkspaceSecrets({
	database,
	workspaceId,
	keyring,
	redactor,
	checkServer,
}: WorkspaceSecretsOptions): WorkspaceSecrets {
	const toBinding = ({ name, server_url }: Pick<Row, "name" | "server_url">): CiphertextBinding => ({
		workspaceId,
		purpose: `secret:${name}`,
		address: server_url,
	});
	const toSecret = (row: Row): WorkspaceSecret => ({
		name: row.name,
		server_url: row.server_url,
		status: keyring.decrypt(row.value, toBinding(row)) === undefined ? "undecryptable" : "ok",
		created_at: new Date(row.created_at).toISOString(),
		updated_at: new Date(row.updated_at).toISOString(),
		updated_by: row.updated_by,
	});
	const findRow = (name: string, from: typeof database.read = database.read): Promise<Row | undefined> =>
		from.selectFrom("workspace_secrets").selectAll().where("name", "=", name).executeTakeFirst();

	/** Encrypted anew, or as it is stored: for the same server alone. */
	function resolveValue(stored: Row | undefined, name: string, server_url: string, value?: string): string {
		if (value !== undefined) {
			redactor.add(value);
			return keyring.encrypt(new Secret(value), toBinding({ name, server_url }));
		}
		if (stored === undefined || stored.server_url !== server_url)
			throw valueRequiredError(stored !== undefined);
		return stored.value;
	}

	return {
		async set(name, { server_url: address, value }, { actor, requestId }) {
			const server_url = parseServerUrl(address);
			await checkServer(server_url);
			const now = clock.now();
			const row = await database.write.transaction().execute(async (transaction) => {
				const stored = await findRow(name, transaction);
				if (stored === undefined) await assertWithinSecretLimit(transaction);
				const changed: Row = {
					name,
					server_url,
					value: resolveValue(stored, name, server_url, value),
					created_at: stored?.created_at ?? now,
					updated_at: now,
					updated_by: actor,
				};
				await transaction
					.insertInto("workspace_secrets")
					.values(changed)
					.onConflict((conflict) => conflict.column("name").doUpdateSet(changed))
					.execute();
				await recordAudit(transaction, {
					action: "secret.set",
					actor,
					requestId: requestId ?? null,
					target: name,
					details: { server_url, value: value === undefined ? "kept" : "replaced" },
				});
				return changed;
			});
			return toSecret(row);
		},
		async get(name) {
			const row = await findRow(name);
			if (row === undefined) throw secretNotFoundError(name);
			return toSecret(row);
		},
		async list({ limit, after = "" }) {
			const rows = await database.read
				.selectFrom("workspace_secrets")
				.selectAll()
				.where("name", ">", after)
				.orderBy("name")
				.limit(limit + 1)
				.execute();
			return rows.map(toSecret);
		},
		async delete(name, { actor, requestId }) {
			await database.write.transaction().execute(async (transaction) => {
				const { numDeletedRows } = await transaction
					.deleteFrom("workspace_secrets")
					.where("name", "=", name)
					.executeTakeFirst();
				if (numDeletedRows === 0n) throw secretNotFoundError(name);
				await recordAudit(transaction, {
					action: "secret.deleted",
					actor,
					requestId: requestId ?? null,
					target: name,
				});
			});
		},
		async open(name, serverUrl) {
			const row = await findRow(name);
			if (row === undefined || row.server_url !== serverUrl) return undefined;
			const value = keyring.decrypt(row.value, toBinding(row));
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

async function assertWithinSecretLimit(from: WorkspaceSecretsOptions["database"]["read"]): Promise<void> {
	const { count } = await from
		.selectFrom("workspace_secrets")
		.select(({ fn }) => fn.countAll<number>().as("count"))
		.executeTakeFirstOrThrow();
	if (count >= MAX_SECRETS)
		throw new DomainError("too_many_secrets", `A workspace can have at most ${MAX_SECRETS} secrets.`, {
			hint: "Delete those that no tool uses any more.",
		});
}

const secretNotFoundError = (name: string): DomainError =>
	new DomainError("secret_not_found", `There is no secret ${quote(name)}.`, {
		hint: "GET /v1/workspace/secrets lists them.",
	});

const valueRequiredError = (isStored: boolean): DomainError =>
	new DomainError(
		"value_required",
		isStored
			? "The value that is stored was given for another server, and is not sent anywhere else."
			: "There is no value yet.",
		{ hint: "Send the `value` with it.", param: "value" },
	);
