import { existsSync, statfsSync } from "node:fs";
import { ConfigurationError } from "@stemma/core/errors";
import type { Configuration, DatabaseConfiguration } from "../configuration/configuration";
import { type DatabaseState, inspectDatabase } from "../store/postgres/inspect-database";
import { StorageError } from "../store/storage-error";
import { listAccessibleFiles, listBootstrapCredentials } from "./check-folder";
import type { DataFolderProblem, DataFolderReport } from "./data-folder-report";

/**
 * Checks the database of a deployment and its data folder and changes nothing, also while an instance serves it. The report
 * has no files: what is in the database is the Postgres server's to check.
 */
export async function checkDatabase(
	{ data: folder, embeddings }: Pick<Configuration, "data" | "embeddings">,
	database: DatabaseConfiguration,
): Promise<DataFolderReport> {
	const { state, problems } = await inspect(database);
	const hasFolder = existsSync(folder);
	const { bavail, bsize } = hasFolder ? statfsSync(folder) : { bavail: 0, bsize: 0 };
	return {
		folder,
		isServed: state?.isServed ?? false,
		instances: state?.instances ?? [],
		freeBytes: bavail * bsize,
		files: [],
		problems: [
			...problems,
			...(state === undefined ? [] : listProblems(state, embeddings !== undefined)),
			...(hasFolder ? [...listAccessibleFiles(folder), ...listBootstrapCredentials(folder)] : []),
		],
	};
}

interface Inspection {
	/** `undefined` where the database cannot be used. */
	readonly state?: DatabaseState;
	readonly problems: readonly DataFolderProblem[];
}

async function inspect(database: DatabaseConfiguration): Promise<Inspection> {
	try {
		return { state: await inspectDatabase(database), problems: [] };
	} catch (error) {
		if (!StorageError.is(error) && !ConfigurationError.is(error)) throw error;
		const { code, message, hint = "" } = error;
		return { problems: [{ severity: "error", code, message, hint }] };
	}
}

function listProblems(
	{ version, newestVersion, unprotectedTables, hasVectorSearch }: DatabaseState,
	needsVectorSearch: boolean,
): readonly DataFolderProblem[] {
	const problems: DataFolderProblem[] = [];
	if (unprotectedTables.length > 0)
		problems.push({
			severity: "error",
			code: "database_unprotected",
			message: `Row-level security is off for ${unprotectedTables.join(", ")}.`,
			hint: "Start the service once with database.owner_url, which protects all tables again.",
		});
	if (version.required > newestVersion)
		problems.push({
			severity: "error",
			code: "storage_version",
			message: `A later version of Stemma wrote the database (version ${version.required}; this Stemma supports up to ${newestVersion}).`,
			hint: "Use the later version of Stemma.",
		});
	else if (version.applied > newestVersion)
		problems.push({
			severity: "warning",
			code: "storage_version",
			message: `A later version of Stemma has added to the database (version ${version.applied} of its tables; this Stemma has ${newestVersion}). This one can still serve it.`,
			hint: "Use the later version of Stemma, unless you are going back.",
		});
	if (needsVectorSearch && !hasVectorSearch)
		problems.push({
			severity: "error",
			code: "vectors_unavailable",
			message: '"embeddings" is configured, and the database does not have the extension "vector".',
			hint: 'Install pgvector and run "create extension vector" as a superuser, or remove "embeddings".',
		});
	if (version.applied < newestVersion)
		problems.push({
			severity: "warning",
			code: "storage_version",
			message: `The database has the version ${version.applied} of ${newestVersion}.`,
			hint: "The next start of the service brings it up to date.",
		});
	return problems;
}
