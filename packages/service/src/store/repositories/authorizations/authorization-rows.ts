import type { Kysely } from "kysely";
import type { StoredAuthorization } from "../../../authorizations/stored-authorizations";
import type { DeploymentTables } from "../../deployment-tables";
import { parseColumn } from "../../json-column";
import type { AuthorizationRow } from "../../sqlite/authorizations/authorization-tables";

/** Converts the row of an authorization to what the service knows of it. */
export const toStoredAuthorization = ({ scopes, ...row }: AuthorizationRow): StoredAuthorization => ({
	...row,
	scopes: parseColumn(scopes),
});

/** Finds an authorization by its id. */
export async function findAuthorization(
	queries: Kysely<DeploymentTables>,
	id: string,
): Promise<StoredAuthorization | undefined> {
	const row = await queries.selectFrom("authorizations").selectAll().where("id", "=", id).executeTakeFirst();
	return row && toStoredAuthorization(row);
}
