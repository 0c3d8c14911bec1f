// Finds the programs of the Postgres server that tests start.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Folder in which Debian's packages have one folder for each version. */
const DEBIAN_FOLDER = "/usr/lib/postgresql";
/** First version whose `initdb` knows ICU. */
const MIN_VERSION = 15;

/** Finds the folder of the server's programs: `POSTGRES_BIN`, or that of Debian's latest package, from version 15. */
export function findPostgres() {
	const { POSTGRES_BIN } = process.env;
	const folders = POSTGRES_BIN === undefined ? listDebianFolders() : [POSTGRES_BIN];
	return folders.find((folder) => existsSync(join(folder, "postgres")));
}

function listDebianFolders() {
	if (!existsSync(DEBIAN_FOLDER)) return [];
	return readdirSync(DEBIAN_FOLDER)
		.map(Number)
		.filter((version) => version >= MIN_VERSION)
		.sort((one, other) => other - one)
		.map((version) => join(DEBIAN_FOLDER, `${version}`, "bin"));
}

/** Checks whether pgvector is installed beside the programs, without which a database has no vectors. */
export function hasPgvector(folder) {
	const { stdout } = spawnSync(join(folder, "pg_config"), ["--sharedir"], { encoding: "utf8" });
	return existsSync(join(stdout?.trim() ?? "", "extension/vector.control"));
}
