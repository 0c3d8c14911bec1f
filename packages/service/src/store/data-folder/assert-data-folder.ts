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
		hint: "A database is upgraded by the first start of the later version: back it up before with `stemma backup`. docs/operations.md#rolling-upgrade has the steps.",
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
