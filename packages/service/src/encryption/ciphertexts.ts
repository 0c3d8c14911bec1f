import type { Kysely } from "kysely";
import { toPushBinding } from "../a2a/push-secrets";
import type { WorkspaceTables } from "../store/workspace-tables";
import type { CiphertextBinding } from "./keyring";

/** Encrypted value in the file of a workspace. */
export interface Ciphertext {
	readonly envelope: string;
	readonly binding: CiphertextBinding;
	readonly location: CiphertextLocation;
}

/** The model settings, the secret of a name, or what the receiver of a task's news is sent. */
export type CiphertextLocation =
	| { readonly kind: "llm_settings" }
	| { readonly kind: "secret"; readonly name: string }
	| { readonly kind: "push_config"; readonly runId: string; readonly id: string };

type WorkspaceQueries = Kysely<WorkspaceTables>;

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

/** Reads again what is encrypted in the place of this value now; undefined where it was deleted. */
export async function rereadCiphertext(
	queries: WorkspaceQueries,
	{ binding, location }: Ciphertext,
): Promise<Ciphertext | undefined> {
	const values = await listCiphertexts(queries, binding.workspaceId);
	return values.find((value) => toLocationKey(value.location) === toLocationKey(location));
}

const toLocationKey = (location: CiphertextLocation): string => JSON.stringify(location);

/** Puts another envelope in place of this one; false where it is not there any more. */
export async function replaceCiphertext(
	queries: WorkspaceQueries,
	{ envelope, location }: Ciphertext,
	replacement: string,
): Promise<boolean> {
	const { numUpdatedRows } = await toUpdate(queries, location, envelope, replacement).executeTakeFirst();
	return numUpdatedRows === 1n;
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

/**
 * Deletes a value; the receiver of a task's news goes with what it would be sent.
 *
 * @param canBeReplaced - whether its owner can set another. Where nobody can, model settings go with their key: else no
 * question could be answered, and the settings not even be cleared.
 */
export async function deleteCiphertext(
	queries: WorkspaceQueries,
	{ envelope, location }: Ciphertext,
	canBeReplaced: boolean,
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
	else if (canBeReplaced)
		await queries
			.updateTable("llm_settings")
			.set({ api_key: null })
			.where("api_key", "=", envelope)
			.execute();
	else await queries.deleteFrom("llm_settings").where("api_key", "=", envelope).execute();
}
