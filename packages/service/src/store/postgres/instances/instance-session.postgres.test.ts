import { afterEach, expect, it } from "vitest";
import { createId } from "../../../create-id";
import { openPostgresSession } from "../connection/postgres-pool";
import { describeOnPostgres } from "../test-support/describe-on-postgres";
import { APPLICATION } from "../test-support/test-server";
import { INSTANCE_CHANNEL } from "./instance-channel";
import { type InstanceSession, openInstanceSession } from "./instance-session";

const POLL = { timeout: 10_000 };

describeOnPostgres("an instance", ({ toUrl }) => {
	let opened: InstanceSession[] = [];
	afterEach(async () => {
		for (const instance of opened) await instance.close();
		opened = [];
	});

	async function open(): Promise<InstanceSession> {
		const instance = await openInstanceSession(toUrl(APPLICATION), { id: createId("ins"), version: "1.0" });
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
		const { id, bus } = await open();
		let missed = 0;
		bus.onMissed(() => {
			missed += 1;
		});
		const heard: unknown[] = [];
		bus.subscribe("runs", (payload) => heard.push(payload));
		await query(
			"select pg_terminate_backend(pid) from pg_stat_activity where query ilike '%instances%' and pid <> pg_backend_pid()",
			[],
			"postgres",
		);
		await expect.poll(() => missed, POLL).toBe(1);
		await notify("runs", "after");
		await expect.poll(() => heard, POLL).toEqual(["after"]);
		expect(await listLiving()).toContain(id);
	});
});
