import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { openPostgresSession } from "../connection/postgres-pool";

/** A Postgres server of the tests: on a Unix socket, without a port, with nothing that outlives it. */
export interface PostgresServer {
	/** URL of a database, for a role. */
	toUrl(role: string, database: string): string;
	stop(): Promise<void>;
}

const DEBIAN_BIN = "/usr/lib/postgresql/15/bin";
const READY_MS = 60_000;
const SUPERUSER = "postgres";

/** Finds the folder of the server's programs: `POSTGRES_BIN`, or that of Debian's package. */
export function findPostgres(): string | undefined {
	const folder = process.env.POSTGRES_BIN ?? DEBIAN_BIN;
	return existsSync(join(folder, "postgres")) ? folder : undefined;
}

/** Starts a server with empty databases. @param bin - see {@link findPostgres}. */
export async function startPostgresServer(bin: string): Promise<PostgresServer> {
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
	const settings = {
		listen_addresses: "",
		unix_socket_directories: folder,
		fsync: "off",
		full_page_writes: "off",
		autovacuum: "off",
		max_connections: "200",
		max_locks_per_transaction: "256",
		shared_buffers: "64MB",
		log_min_messages: "panic",
	};
	const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
	const server = spawn(join(bin, "postgres"), ["-D", data, ...options], {
		...identity,
		cwd: folder,
		stdio: ["ignore", "ignore", "inherit"],
	});
	// A test process that is killed leaves no server behind.
	const kill = (): void => void server.kill("SIGQUIT");
	process.once("exit", kill);
	const toUrl = (role: string, database: string): string =>
		`postgres://${role}@${encodeURIComponent(folder)}/${database}`;
	async function stop(): Promise<void> {
		process.off("exit", kill);
		await stopServer(server);
		rmSync(folder, { recursive: true, force: true });
	}
	try {
		await waitUntilReady(server, toUrl(SUPERUSER, "postgres"));
	} catch (error) {
		await stop();
		throw error;
	}
	return { toUrl, stop };
}

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

async function waitUntilReady(server: ChildProcess, url: string): Promise<void> {
	const end = Date.now() + READY_MS;
	for (;;)
		try {
			const session = await openPostgresSession(url);
			return await session.close();
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
