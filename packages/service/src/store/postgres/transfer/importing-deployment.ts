import { type Kysely, sql } from "kysely";
import type { Queries } from "../../database";
import type { DeploymentTables } from "../../deployment-tables";
import {
	DEPLOYMENT_KINDS,
	type ExportedDeploymentRow,
	type ImportConflict,
	type ImportedRows,
	type ImportingDeployment,
} from "../../sqlite/open-transfer";
import { parseLine } from "../../sqlite/transfer/row-lines";

type Lines = ImportedRows["lines"];

/** Tables of a deployment that a workspace is imported into, and that no service uses. */
export function createImportingDeployment({
	read,
	write,
}: Queries<DeploymentTables>): Omit<ImportingDeployment, "close"> {
	async function hasWorkspace(id: string): Promise<boolean> {
		const row = await read.selectFrom("workspaces").select("id").where("id", "=", id).executeTakeFirst();
		return row !== undefined;
	}
	return {
		hasWorkspace,
		async findConflict({ id, name }, lines) {
			if (await hasWorkspace(id)) return { kind: "workspace_exists", id };
			const other = await read
				.selectFrom("workspaces")
				.select("id")
				.where("name", "=", name)
				.where("deleting_at", "is", null)
				.executeTakeFirst();
			return other === undefined ? findRowConflict(read, lines) : { kind: "name_taken", name };
		},
		insert: (workspace, lines) =>
			write.transaction().execute((transaction) => insertWorkspace(transaction, workspace, lines)),
	};
}

async function findRowConflict(
	read: Kysely<DeploymentTables>,
	lines: Lines,
): Promise<ImportConflict | undefined> {
	for (const kind of ["clients", "client_keys"] as const)
		for (const line of lines.get(kind)?.() ?? []) {
			const id = String(parseLine(line).id);
			const known = await read.selectFrom(kind).select("id").where("id", "=", id).executeTakeFirst();
			if (known !== undefined) return { kind: "client_exists", id };
		}
	for (const line of lines.get("users")?.() ?? []) {
		const { id, email } = parseLine(line);
		const known = await read
			.selectFrom("users")
			.select(["id", "email"])
			.where(({ eb, or }) => or([eb("id", "=", String(id)), eb("email", "=", String(email))]))
			.execute();
		if (known.some((user) => user.id !== id || user.email !== email))
			return { kind: "user_conflict", email: String(email) };
	}
	return undefined;
}

async function insertWorkspace(
	transaction: Kysely<DeploymentTables>,
	{ id, name, created_at }: ExportedDeploymentRow,
	lines: Lines,
): Promise<void> {
	await transaction.insertInto("workspaces").values({ id, name, created_at }).execute();
	for (const kind of DEPLOYMENT_KINDS)
		for (const line of lines.get(kind)?.() ?? []) {
			const row = parseLine(line);
			if (kind !== "users" && row.workspace_id !== id)
				throw new Error(`A row of ${kind} is of another workspace.`);
			const columns = Object.keys(row).map((column) => sql.ref(column));
			await sql`
				INSERT INTO ${sql.table(kind)} (${sql.join(columns)}) VALUES (${sql.join(Object.values(row))})
				${kind === "users" ? sql`ON CONFLICT (id) DO NOTHING` : sql``}`.execute(transaction);
		}
}
