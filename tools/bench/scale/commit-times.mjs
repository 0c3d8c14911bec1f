import { createRequire } from "node:module";
import { repeat } from "./closed-loop.mjs";

const { Client } = createRequire(new URL("../../../packages/service/package.json", import.meta.url))("pg");
const CONNECTIONS = 8;

/**
 * Commits a second of a database on which several connections do nothing else: each stores a row and waits until it is on
 * the disk. Those that notify others wait for each other in the server.
 *
 * @param url - as a role that may create tables.
 */
export async function measureCommits(url, seconds) {
	const clients = Array.from({ length: CONNECTIONS }, () => new Client({ connectionString: url }));
	for (const client of clients) await client.connect();
	try {
		await clients[0].query("create table commit_times (id bigint)");
		const idle = [...clients];
		const measure = async (sql) => {
			const { count, seconds: took } = await repeat(CONNECTIONS, seconds, async (id) => {
				const client = idle.pop();
				await client.query(sql.replace("$id", String(id)));
				idle.push(client);
			});
			return count / took;
		};
		return {
			plain: await measure("begin; insert into commit_times values ($id); commit"),
			notifying: await measure(
				"begin; insert into commit_times values ($id); select pg_notify('commit_times', '$id'); commit",
			),
		};
	} finally {
		await clients[0].query("drop table commit_times").catch(() => undefined);
		await Promise.all(clients.map((client) => client.end()));
	}
}
