import { existsSync } from "node:fs";
import { ConfigurationError } from "@stemma/core/errors";
import type { Configuration } from "../../configuration/configuration";
import { toDeploymentFile } from "./deployment-file";

/** Place of everything that a deployment stores: a data folder, or a database. */
export type DeploymentPlace = Pick<Configuration, "data" | "database">;

/**
 * Refuses what works on the files of a data folder where a database has everything.
 *
 * @throws ConfigurationError `database_unsupported`
 */
export function assertNoDatabase({ database }: Pick<DeploymentPlace, "database">): void {
	if (database === undefined) return;
	throw new ConfigurationError("The deployment is in the database of database.url, not in a data folder.", {
		code: "database_unsupported",
		hint: "Back up with: pg_dump --format=custom --file=stemma.dump postgres://stemma_backup@<host>/<database>. Restore with: pg_restore --exit-on-error --single-transaction --dbname=postgres://postgres@<host>/<new database> stemma.dump. An upgrade is the first start of the later version. docs/postgres.md#keep-it has the roles and the steps.",
	});
}

/** @throws ConfigurationError `data_folder_missing`, `database_unsupported` */
export function assertDataFolder(place: DeploymentPlace): void {
	assertNoDatabase(place);
	const { data } = place;
	if (existsSync(toDeploymentFile(data))) return;
	throw new ConfigurationError(`"${data}" is not the data folder of a service.`, {
		code: "data_folder_missing",
		hint: 'Name the folder that the service was started with: --data, STEMMA_DATA_FOLDER or "data".',
	});
}
