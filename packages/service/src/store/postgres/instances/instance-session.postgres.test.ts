import { afterEach, expect, it } from "vitest";
import { createId } from "../../../create-id";
import { openPostgresSession } from "../connection/postgres-pool";
import { describeOnPostgres } from "../test-support/describe-on-postgres";
import { APPLICATION } from "../test-support/test-server";
import { INSTANCE_CHANNEL } from "./instance-channel";
import { type InstanceSession, openInstanceSession } from "./instance-session";
import { listInstances } from "./stored-instance";

const POLL = { timeout: 10_000 };

describeOnPostgres("an instance", ({ toUrl }) => {
	let opened: InstanceSession[] = [];
	afterEach(async () => {
		for (const instance of opened) await instance.close();
		opened = [];
	});

	async function open(...keys: readonly string[]): Promise<InstanceSession> {
		const encryptionKeys = keys.map((id) => ({ id, keyCheck: `check of ${id}` }));
		const description = {
			id: createId("ins"),
			version: "1.0",
			databaseVersion: 3,
			host: "here",
			encryptionKeys,
		};
		const instance = await openInstanceSession(toUrl(APPLICATION), description);
		opened.push(instance);
		return instance;
	}
	async function query(sql: string, parameters: readonly unknown[] = [], role: "postgres" | "app" = "app") {
		const session = await openPostgresSession(toUrl(role === "app" ? APPLICATION : "postgres"));
		const { rows } = await session.query(sql, parameters);
		await session.close();
		return rows;
	}
	const listLiving = async () =>
		(await query("select id from stemma_deployment.instances where lease_until > now()")).map(({ id }) => id);
	const notify = (topic: string, payload: unknown) =>
		query("select pg_notify($1, $2)", [INSTANCE_CHANNEL, JSON.stringify({ topic, payload })]);

	it("holds a lease until it is closed, and gives it back at once", async () => {
		const [first, second] = [await open(), await open()];
		expect([...(await listLiving())].sort()).toEqual([first.id, second.id].sort());
		await first.close();
		expect(await listLiving()).toEqual([second.id]);
	});

	it("joins others that decrypt what it encrypts, and whose values it decrypts", async () => {
		await open("old", "new");
		for (const keys of [["other", "old"], [], ["new"]])
			await expect(open(...keys)).rejects.toMatchObject({ code: "encryption_keys_differ" });
		await open("old");
		await expect(open("new", "old")).rejects.toMatchObject({ code: "encryption_keys_differ" });
		await Promise.all(opened.map((instance) => instance.close()));
		const first = await open("old", "new");
		const second = await open("new", "old");
		await first.close();
		await open("new");
		await second.close();
	});

	it("describes itself to those that look", async () => {
		const { id } = await open("key");
		const session = await openPostgresSession(toUrl(APPLICATION));
		const [found, ...others] = await listInstances(session);
		await session.close();
		expect([found, others]).toMatchObject([
			{ id, version: "1.0", host: "here", encryptionKeys: [{ id: "key", keyCheck: "check of key" }] },
			[],
		]);
		const { startedAt, lastSeenAt } = found ?? {};
		expect(Math.abs(Date.now() - Number(startedAt))).toBeLessThan(60_000);
		expect(Math.abs(Number(lastSeenAt) - Number(startedAt))).toBeLessThan(60_000);
	});

	it("sends to all, itself too", async () => {
		const [first, second] = [await open(), await open()];
		const heard: unknown[] = [];
		for (const { bus } of [first, second]) bus.subscribe("greetings", (payload) => heard.push(payload));
		await first.bus.publish("greetings", { hello: "there" });
		await expect.poll(() => heard, POLL).toEqual([{ hello: "there" }, { hello: "there" }]);
	});

	it("hears what is notified on a topic, in order", async () => {
		const { bus } = await open();
		const heard: unknown[] = [];
		const stop = bus.subscribe("runs", (payload) => heard.push(payload));
		for (const payload of [1, "two", { three: 3 }]) await notify("runs", payload);
		await notify("others", 4);
		await expect.poll(() => heard, POLL).toEqual([1, "two", { three: 3 }]);
		stop();
	});

	it("comes back after its connection was cut, with its lease, and says that it may have missed something", async () => {
		const { id, bus, readState } = await open();
		expect(readState().reconnects).toBe(0);
		let missed = 0;
		bus.onMissed(() => {
			missed += 1;
		});
		const heard: unknown[] = [];
		bus.subscribe("runs", (payload) => heard.push(payload));
		await query(
			"select pg_terminate_backend(pid) from pg_stat_activity where query ilike '%instances%' and pid <> pg_backend_pid() and datname = current_database()",
			[],
			"postgres",
		);
		await expect.poll(() => missed, POLL).toBe(1);
		await notify("runs", "after");
		await expect.poll(() => heard, POLL).toEqual(["after"]);
		expect(await listLiving()).toContain(id);
		expect(readState().reconnects).toBe(1);
	});
});
