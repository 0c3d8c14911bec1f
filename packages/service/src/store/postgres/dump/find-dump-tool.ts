import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { ConfigurationError } from "@stemma/core/errors";

/** A program of Postgres that dumps or restores. */
export interface DumpTool {
	readonly name: "pg_dump" | "pg_restore";
	/** Path, or the name where it is found by `PATH`. */
	readonly path: string;
	/** Major version. */
	readonly version: number;
}

export interface DumpToolRequirement {
	/** Major version that it must have at least. */
	readonly minVersion: number;
	/** Owner of that version, for the message, such as `the server`. */
	readonly reason: string;
	/** Variables of the environment: `POSTGRES_BIN` is the folder of the programs. Default: `PATH` finds them. */
	readonly environment: Readonly<Record<string, string | undefined>>;
}

/** @throws ConfigurationError `postgres_tools_missing`, `postgres_tools_outdated` */
export async function findDumpTool(
	name: DumpTool["name"],
	{ minVersion, reason, environment }: DumpToolRequirement,
): Promise<DumpTool> {
	const { POSTGRES_BIN: folder } = environment;
	const path = folder ? join(folder, name) : name;
	const { version, text } = await readVersion(name, path);
	if (version >= minVersion) return { name, path, version };
	throw new ConfigurationError(
		`${path} has version ${text}, and ${reason} has ${minVersion}: it must not be older.`,
		{
			code: "postgres_tools_outdated",
			hint: `${toInstallHint(minVersion)} If it is there, name its folder in POSTGRES_BIN, such as /usr/lib/postgresql/${minVersion}/bin.`,
		},
	);
}

async function readVersion(name: string, path: string) {
	let output: string;
	try {
		output = (await promisify(execFile)(path, ["--version"])).stdout;
	} catch (cause) {
		throw missingToolError(name, path, cause);
	}
	const [, text = "", major] = /\(PostgreSQL\) ((\d+)\S*)/u.exec(output) ?? [];
	if (major === undefined) throw missingToolError(name, path);
	return { version: Number(major), text };
}

const missingToolError = (name: string, path: string, cause?: unknown): ConfigurationError =>
	new ConfigurationError(
		path === name
			? `The program ${name} of Postgres is not on the PATH.`
			: `${path} is not the program ${name} of Postgres.`,
		{
			code: "postgres_tools_missing",
			hint: `${toInstallHint()} If it is there, name its folder in POSTGRES_BIN.`,
			cause,
		},
	);

const toInstallHint = (version?: number): string =>
	`Install the client programs of Postgres (Debian: postgresql-client${version === undefined ? "" : `-${version}`}).`;
