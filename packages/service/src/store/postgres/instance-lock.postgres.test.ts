import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { openPostgresSession, type PostgresSession } from "./connection/postgres-pool";
import { holdInstanceLock } from "./instance-lock";
import { describeOnPostgres } from "./test-support/describe-on-postgres";
import { APPLICATION } from "./test-support/test-server";

const HOLDER = `
	from pg_locks where locktype = 'advisory' and granted
	and database = (select oid from pg_database where datname = current_database())`;

describeOnPostgres("the lock of an instance", (database) => {
	let admin: PostgresSession;
	beforeAll(async () => {
		admin = await openPostgresSession(database.toUrl("postgres"));
	});
	afterAll(() => admin.close());
	const url = (): string => database.toUrl(APPLICATION);
	const findHolder = async (): Promise<unknown> => (await admin.query(`select pid ${HOLDER}`)).rows[0]?.pid;
	const endConnection = () => admin.query(`select pg_terminate_backend(pid) ${HOLDER}`);

	it("is taken again after its connection was lost", async () => {
		const lock = await holdInstanceLock(url());
		const before = await findHolder();
		await endConnection();
		await vi.waitUntil(async () => ![undefined, before].includes(await findHolder()), { timeout: 30_000 });
		await expect(holdInstanceLock(url())).rejects.toMatchObject({ code: "database_in_use" });
		await lock.release();
		expect(await findHolder()).toBeUndefined();
	});

	it("tells that another instance has taken it meanwhile", async () => {
		const onTaken = vi.fn();
		await holdInstanceLock(url(), onTaken);
		// Another one waits for it, and gets it the moment that it is free.
		const other = await openPostgresSession(url());
		const taken = other.query("select pg_advisory_lock(hashtextextended('stemma:instance', 0))");
		await vi.waitUntil(async () => {
			const { rows } = await admin.query(
				"select 1 from pg_locks where locktype = 'advisory' and not granted",
			);
			return rows.length > 0;
		});
		await endConnection();
		await taken;
		await vi.waitUntil(() => onTaken.mock.calls.length === 1, { timeout: 30_000 });
		await other.close();
	});
});
