import type { Kysely } from "kysely";
import { toPushBinding } from "../../a2a/push-secrets";
import type {
	Ciphertext,
	CiphertextLocation,
	CiphertextRepository,
} from "../../encryption/ciphertext-repository";
import type { Queries } from "../database";
import type { WorkspaceTables } from "../workspace-tables";
import { recordAudit } from "./audit-repository";

type WorkspaceQueries = Kysely<WorkspaceTables>;

/** Ciphertexts of a workspace. */
export const createCiphertextRepository = ({
	read,
	write,
}: Queries<WorkspaceTables>): CiphertextRepository => ({
	list: (workspaceId) => listCiphertexts(read, workspaceId),
	async replace({ envelope, location }, replacement) {
		const { numUpdatedRows } = await toUpdate(write, location, envelope, replacement).executeTakeFirst();
		return numUpdatedRows === 1n;
	},
	delete: (workspaceId, choose) =>
		write.transaction().execute(async (transaction) => {
			const chosen = choose(await listCiphertexts(transaction, workspaceId));
			if (chosen === undefined) return;
			const { ciphertexts, deletesSettings, audit } = chosen;
			for (const ciphertext of ciphertexts) await deleteCiphertext(transaction, ciphertext, deletesSettings);
			await recordAudit(transaction, audit);
		}),
});

/** All that is encrypted in a workspace. */
export async function listCiphertexts(queries: WorkspaceQueries, workspaceId: string): Promise<Ciphertext[]> {
	const settings = await queries.selectFrom("llm_settings").selectAll().execute();
	const secrets = await queries.selectFrom("workspace_secrets").selectAll().orderBy("name").execute();
	const pushConfigs = await queries
		.selectFrom("a2a_push_configs")
		.select(["run_id", "id", "url", "secrets"])
		.where("secrets", "is not", null)
		.orderBy("run_id")
		.execute();
	return [
		...settings.flatMap(({ provider, base_url, api_key }): Ciphertext[] => {
			if (api_key === null) return [];
			const binding = { workspaceId, purpose: `llm_settings:${provider}`, address: base_url };
			return [{ envelope: api_key, binding, location: { kind: "llm_settings" } }];
		}),
		...secrets.map(
			({ name, server_url, value }): Ciphertext => ({
				envelope: value,
				binding: { workspaceId, purpose: `secret:${name}`, address: server_url },
				location: { kind: "secret", name },
			}),
		),
		...pushConfigs.flatMap(({ secrets: envelope, ...location }): Ciphertext[] => {
			if (envelope === null) return [];
			const { run_id: runId, id } = location;
			return [
				{
					envelope,
					binding: toPushBinding(workspaceId, location),
					location: { kind: "push_config", runId, id },
				},
			];
		}),
	];
}

function toUpdate(
	queries: WorkspaceQueries,
	location: CiphertextLocation,
	envelope: string,
	replacement: string,
) {
	switch (location.kind) {
		case "llm_settings":
			return queries
				.updateTable("llm_settings")
				.set({ api_key: replacement })
				.where("api_key", "=", envelope);
		case "secret":
			return queries
				.updateTable("workspace_secrets")
				.set({ value: replacement })
				.where("name", "=", location.name)
				.where("value", "=", envelope);
		case "push_config":
			return queries
				.updateTable("a2a_push_configs")
				.set({ secrets: replacement })
				.where("run_id", "=", location.runId)
				.where("id", "=", location.id)
				.where("secrets", "=", envelope);
	}
}

async function deleteCiphertext(
	queries: WorkspaceQueries,
	{ envelope, location }: Ciphertext,
	deletesSettings: boolean,
): Promise<void> {
	if (location.kind === "secret")
		await queries
			.deleteFrom("workspace_secrets")
			.where("name", "=", location.name)
			.where("value", "=", envelope)
			.execute();
	else if (location.kind === "push_config")
		await queries
			.deleteFrom("a2a_push_configs")
			.where("run_id", "=", location.runId)
			.where("id", "=", location.id)
			.where("secrets", "=", envelope)
			.execute();
	else if (deletesSettings)
		await queries.deleteFrom("llm_settings").where("api_key", "=", envelope).execute();
	else
		await queries
			.updateTable("llm_settings")
			.set({ api_key: null })
			.where("api_key", "=", envelope)
			.execute();
}
