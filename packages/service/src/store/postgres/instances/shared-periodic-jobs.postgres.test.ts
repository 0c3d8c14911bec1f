import { afterEach, beforeEach, expect, it } from "vitest";
import type { PeriodicJobs } from "../../instances/periodic-jobs";
import { describeOnPostgres } from "../test-support/describe-on-postgres";
import { startTestInstances, type TestInstance, type TestInstances } from "../test-support/test-instance";
import { createSharedPeriodicJobs } from "./shared-periodic-jobs";

const HOUR_MS = 60 * 60 * 1000;

describeOnPostgres("jobs that instances take turns in", (database) => {
	let instances: TestInstances;
	let done: string[];
	beforeEach(async () => {
		instances = await startTestInstances(database);
		done = [];
	});
	afterEach(async () => {
		await instances.close();
		const client = await database.pool.connect();
		await client.query("delete from stemma_deployment.periodic_jobs");
		client.release();
	});

	async function add(): Promise<{ readonly instance: TestInstance; readonly jobs: PeriodicJobs }> {
		const instance = await instances.add();
		return { instance, jobs: createSharedPeriodicJobs(database.pool, instance.id) };
	}
	const note =
		({ instance }: { readonly instance: TestInstance }, until?: Promise<void>) =>
		async () => {
			done.push(instance.id);
			await until;
		};

	it("are done by one of them, and again after their time", async () => {
		const [first, second] = [await add(), await add()];
		await Promise.all([first, second].map((each) => each.jobs.run("expiry", HOUR_MS, note(each))));
		await second.jobs.run("expiry", HOUR_MS, note(second));
		expect(done).toHaveLength(1);
		await second.jobs.run("expiry", 0, note(second));
		await second.jobs.run("retention", HOUR_MS, note(second));
		expect(done.slice(1)).toEqual([second.instance.id, second.instance.id]);
	});

	it("are not begun while another one is at it, until its lease is over", async () => {
		const [first, second] = [await add(), await add()];
		const held = Promise.withResolvers<void>();
		const running = first.jobs.run("expiry", 0, note(first, held.promise));
		await expect.poll(() => done).toEqual([first.instance.id]);
		await second.jobs.run("expiry", 0, note(second));
		expect(done).toEqual([first.instance.id]);
		await first.instance.expire();
		await second.jobs.run("expiry", 0, note(second));
		expect(done).toEqual([first.instance.id, second.instance.id]);
		held.resolve();
		await running;
		// The end of what was lost says nothing about the other one.
		await second.jobs.run("expiry", HOUR_MS, note(second));
		expect(done).toHaveLength(2);
	});

	it("are done again after one that has failed", async () => {
		const [first, second] = [await add(), await add()];
		const failing = first.jobs.run("expiry", HOUR_MS, () => Promise.reject(new Error("no")));
		await expect(failing).rejects.toThrow("no");
		await second.jobs.run("expiry", 0, note(second));
		expect(done).toEqual([second.instance.id]);
	});
});
