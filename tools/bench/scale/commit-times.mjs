import { createRequire } from "node:module";
import { repeat } from "./closed-loop.mjs";

const { Client } = createRequire(new URL("../../../packages/service/package.json", import.meta.url))("pg");
/** Commits that wait for the disk at the same time go there together. */
const CONNECTIONS = 32;

/**
 * Commits a second of a database on which several connections do nothing else: each stores a row and waits until it is on
 * the disk. Those that notify others wait for each other in the server, unless they notify after their commit.
 *
 * @param url - as a role that may create tables.
 */
export async function measureCommits(url, seconds) {
	const clients = Array.from({ length: CONNECTIONS }, () => new Client({ connectionString: url }));
	const notifying = new Client({ connectionString: url });
	for (const client of [...clients, notifying]) await client.connect();
	try {
		await clients[0].query("create table commit_times (id bigint)");
		const idle = [...clients];
		const notifier = createNotifier(notifying);
		const measure = async (sql, after = () => undefined) => {
			const { count, seconds: took } = await repeat(CONNECTIONS, seconds, async (id) => {
				const client = idle.pop();
				await client.query(sql.replaceAll("$id", String(id)));
				idle.push(client);
				after(id);
			});
			return count / took;
		};
		const rates = {
			plain: await measure("begin; insert into commit_times values ($id); commit"),
			notifying: await measure(
				"begin; insert into commit_times values ($id); select pg_notify('commit_times', '$id'); commit",
			),
			notifyingAfter: await measure("begin; insert into commit_times values ($id); commit", notifier.add),
		};
		await notifier.drain();
		return rates;
	} finally {
		await clients[0].query("drop table commit_times").catch(() => undefined);
		await Promise.all([...clients, notifying].map((client) => client.end()));
	}
}

/** Notifies on one connection of what was committed on the others: all that gathers while it does goes together. */
function createNotifier(client) {
	let pending = [];
	let sending;
	async function send() {
		while (pending.length > 0) {
			const messages = pending;
			pending = [];
			await client.query("select pg_notify('commit_times', message) from unnest($1::text[]) as message", [
				messages,
			]);
		}
		sending = undefined;
	}
	return {
		add(id) {
			pending.push(String(id));
			sending ??= send();
		},
		/** Resolves once all are sent. */
		async drain() {
			await sending;
		},
	};
}
