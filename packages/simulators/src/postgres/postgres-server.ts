import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";

export { findPostgres } from "../../../../scripts/find-postgres.mjs";

/** Postgres server of a test: on a Unix socket, without a port, with nothing that outlives it. */
export interface PostgresServer {
	/** Process that the others are children of. */
	readonly pid: number;
	/** URL of a database, for a role. */
	toUrl(role: string, database: string): string;
	/** Ends it without waiting for connections, and starts it again. */
	restart(): Promise<void>;
	stop(): Promise<void>;
}

const READY_MS = 60_000;
const SUPERUSER = "postgres";

/**
 * Starts a server with empty databases.
 *
 * @param bin - folder of its programs, as `findPostgres` finds it.
 * @param settings - of its configuration, in place of those of a test, which may lose everything.
 */
export async function startPostgresServer(
	bin: string,
	settings: Readonly<Record<string, string>> = {},
): Promise<PostgresServer> {
	const folder = mkdtempSync(join(tmpdir(), "stemma-postgres-"));
	const identity = findIdentity();
	if (identity !== undefined) chownSync(folder, identity.uid, identity.gid);
	const data = join(folder, "data");
	// Sorts texts unlike bytes: a column that should sort by bytes and has no collation is noticed.
	const locale = ["--locale-provider=icu", "--icu-locale=en-US", "--locale=C.UTF-8", "--encoding=UTF8"];
	execFileSync(join(bin, "initdb"), ["-D", data, "-U", SUPERUSER, "--auth=trust", "--no-sync", ...locale], {
		...identity,
		cwd: folder,
		stdio: ["ignore", "ignore", "inherit"],
	});
	const options = Object.entries({ ...SETTINGS, ...settings, unix_socket_directories: folder });
	const start = (): ChildProcess =>
		spawn(
			join(bin, "postgres"),
			["-D", data, ...options.flatMap(([name, value]) => ["-c", `${name}=${value}`])],
			{ ...identity, cwd: folder, stdio: ["ignore", "ignore", "inherit"] },
		);
	let server = start();
	// A test process that is killed leaves no server behind.
	const kill = (): void => void server.kill("SIGQUIT");
	process.once("exit", kill);
	async function stop(): Promise<void> {
		process.off("exit", kill);
		await stopServer(server);
		rmSync(folder, { recursive: true, force: true });
	}
	try {
		await waitUntilReady(server, bin, folder);
	} catch (error) {
		await stop();
		throw error;
	}
	return {
		get pid() {
			return server.pid ?? 0;
		},
		toUrl: (role, database) => `postgres://${role}@${encodeURIComponent(folder)}/${database}`,
		async restart() {
			await stopServer(server);
			server = start();
			await waitUntilReady(server, bin, folder);
		},
		stop,
	};
}

const SETTINGS = {
	listen_addresses: "",
	fsync: "off",
	full_page_writes: "off",
	autovacuum: "off",
	max_connections: "200",
	max_locks_per_transaction: "256",
	shared_buffers: "64MB",
	log_min_messages: "panic",
};

/** Finds another user where this one is root, as whom Postgres refuses to run. */
function findIdentity(): { readonly uid: number; readonly gid: number } | undefined {
	if (process.getuid?.() !== 0) return undefined;
	for (const user of [SUPERUSER, "nobody"]) {
		try {
			const read = (flag: string): number => Number(execFileSync("id", [flag, user], { stdio: "pipe" }));
			return { uid: read("-u"), gid: read("-g") };
		} catch {
			// There is no such user.
		}
	}
	throw new Error("Postgres does not run as root, and there is no other user.");
}

async function waitUntilReady(server: ChildProcess, bin: string, folder: string): Promise<void> {
	const end = Date.now() + READY_MS;
	for (;;)
		try {
			await promisify(execFile)(join(bin, "pg_isready"), ["-q", "-h", folder, "-U", SUPERUSER]);
			return;
		} catch (error) {
			if (server.exitCode !== null || Date.now() > end) throw error;
			await wait(50);
		}
}

async function stopServer(server: ChildProcess): Promise<void> {
	if (server.exitCode !== null || server.signalCode !== null) return;
	const exited = once(server, "exit");
	// Ends without waiting for connections, and without a checkpoint.
	server.kill("SIGQUIT");
	await exited;
}
