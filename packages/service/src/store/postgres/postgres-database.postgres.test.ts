import { sql } from "kysely";
import { expect, it } from "vitest";
import { ConstraintError } from "../storage-error";
import { openPostgresSession } from "./connection/postgres-pool";
import { describeOnPostgres } from "./test-support/describe-on-postgres";

describeOnPostgres("a database", (database) => {
	it("gives numbers, flags and bytes as SQLite does", async () => {
		const { read } = database.openWorkspace();
		const { rows } = await sql`
			select 1785000000000::bigint as time, count(*) as count, sum(2::bigint) as total, true as flag,
				'\\x00ff'::bytea as bytes, array['a', 'b "c", {d}'] as list, null as nothing
		`.execute(read);
		expect(rows).toStrictEqual([
			{
				...{ time: 1_785_000_000_000, count: 1, total: 2, flag: 1 },
				...{ bytes: new Uint8Array([0, 255]), list: ["a", 'b "c", {d}'], nothing: null },
			},
		]);
	});

	it("stores text and bytes as they are, but for NUL characters in text", async () => {
		const { read } = database.openWorkspace();
		const text = "ü\u{1f600}'\\ \u0000.";
		const { rows } =
			await sql`select ${text}::text as text, ${new Uint8Array([0, 1])}::bytea as bytes`.execute(read);
		expect(rows).toStrictEqual([{ text: "ü\u{1f600}'\\ \ufffd.", bytes: new Uint8Array([0, 1]) }]);
	});

	it("finds nothing in a list of nothing", async () => {
		const { read } = database.openWorkspace();
		expect(await read.selectFrom("workspace_identity").select("id").where("id", "in", []).execute()).toEqual(
			[],
		);
	});

	it("breaks a rule of a table like SQLite, and takes the whole transaction back", async () => {
		const { write, read } = database.openWorkspace();
		const insertTwice = write.transaction().execute(async (transaction) => {
			await transaction.insertInto("workspace_identity").values({ id: "ws_1" }).execute();
			await transaction.insertInto("workspace_identity").values({ id: "ws_1" }).execute();
		});
		await expect(insertTwice).rejects.toThrow(ConstraintError);
		expect(await read.selectFrom("workspace_identity").selectAll().execute()).toEqual([]);
	});

	it("lets no statement follow where another one of the transaction has failed that was sent with those before", async () => {
		const { write, read } = database.openWorkspace();
		let following: Promise<void> | undefined;
		const failures: string[] = [];
		const insertTogether = write.transaction().execute(async (transaction) => {
			async function insertMany(): Promise<void> {
				for (let count = 0; count < 20; count++)
					await transaction
						.insertInto("workspace_identity")
						.values({ id: `ws_${count}` })
						.execute()
						.catch(({ message }) => failures.push(message));
			}
			following = insertMany();
			await Promise.all([following, sql`select 1 / 0`.execute(transaction)]);
		});
		await expect(insertTogether).rejects.toThrow("division by zero");
		await following;
		expect(failures.length).toBeGreaterThan(10);
		expect(await read.selectFrom("workspace_identity").selectAll().execute()).toEqual([]);
	});

	it("reads one state in a reading transaction, and writes nothing there", async () => {
		const { read, write } = database.openWorkspace();
		await read
			.transaction()
			.setIsolationLevel("repeatable read")
			.execute(async (transaction) => {
				const select = transaction.selectFrom("workspace_identity").select("id");
				expect(await select.execute()).toEqual([]);
				await write.insertInto("workspace_identity").values({ id: "ws_1" }).execute();
				expect(await select.execute()).toEqual([]);
			});
		await expect(read.insertInto("workspace_identity").values({ id: "ws_2" }).execute()).rejects.toThrow(
			/read-only/,
		);
	});

	it("lets writers of one workspace take turns, also those of two instances", async () => {
		const [{ write }, other] = [database.openWorkspace("ws_turns"), database.openWorkspace("ws_turns")];
		await write.insertInto("workspace_identity").values({ id: "0" }).execute();
		const increment = (queries: typeof write) =>
			queries.transaction().execute(async (transaction) => {
				const row = await transaction.selectFrom("workspace_identity").select("id").executeTakeFirstOrThrow();
				await transaction
					.updateTable("workspace_identity")
					.set({ id: String(Number(row.id) + 1) })
					.execute();
			});
		await Promise.all(
			Array.from({ length: 20 }, (_, index) => increment(index % 2 === 0 ? write : other.write)),
		);
		expect(await write.selectFrom("workspace_identity").select("id").execute()).toEqual([{ id: "20" }]);
	});

	it("gives the turn of a writer whose process hangs to the next one, in time", {
		timeout: 30_000,
	}, async () => {
		const [hanging, next] = [database.openWorkspace("ws_hangs"), database.openWorkspace("ws_hangs")];
		const { promise: suspended, resolve: resume } = Promise.withResolvers<void>();
		const began = Promise.withResolvers<void>();
		const insert = (queries: typeof next.write, id: string) =>
			queries.insertInto("workspace_identity").values({ id }).execute();
		const held = hanging.write.transaction().execute(async (transaction) => {
			await insert(transaction, "hanging");
			began.resolve();
			await suspended;
			await sql`select 1`.execute(transaction);
		});
		await began.promise;
		await insert(next.write, "next").finally(resume);
		await expect(held).rejects.toMatchObject({ code: "storage_unavailable" });
		expect(await next.read.selectFrom("workspace_identity").select("id").execute()).toEqual([{ id: "next" }]);
	});

	it("rejects writes at once when it was closed for good", async () => {
		const closed = database.openWorkspace();
		await closed.closeAndReject();
		await expect(closed.write.deleteFrom("workspace_identity").execute()).rejects.toMatchObject({
			code: "storage_unavailable",
		});
	});

	it("goes on after all of its connections were cut", async () => {
		const { read, write } = database.openWorkspace();
		const insert = (id: string) => write.insertInto("workspace_identity").values({ id }).execute();
		const admin = await openPostgresSession(database.toUrl("postgres"));
		await Promise.all([insert("ws_1"), read.selectFrom("workspace_identity").selectAll().execute()]);
		const cut = write.transaction().execute(async (transaction) => {
			await transaction.updateTable("workspace_identity").set({ id: "ws_2" }).execute();
			await admin.query(
				"select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'stemma' and pid <> pg_backend_pid() and datname = current_database()",
			);
			await transaction.updateTable("workspace_identity").set({ id: "ws_3" }).execute();
		});
		await expect(cut).rejects.toMatchObject({ code: "storage_unavailable" });
		await admin.close();
		expect(await read.selectFrom("workspace_identity").select("id").execute()).toEqual([{ id: "ws_1" }]);
	});

	it("gives a connection back whose statement has failed", async () => {
		const { read } = database.openWorkspace();
		for (let index = 0; index <= database.pool.size; index++)
			await expect(sql`select 1 / 0`.execute(read)).rejects.toThrow(/division by zero/);
		expect((await sql`select 1 as one`.execute(read)).rows).toEqual([{ one: 1 }]);
	});

	it("gives the connection of a reading transaction back, whether its first statement fails or there is none", async () => {
		const { read } = database.openWorkspace();
		for (let index = 0; index <= database.pool.size; index++) {
			const fails = read.transaction().execute((transaction) => sql`select 1 / 0`.execute(transaction));
			await expect(fails).rejects.toThrow(/division by zero/);
			expect(await read.transaction().execute(async () => index)).toBe(index);
		}
		expect((await sql`select 1 as one`.execute(read)).rows).toEqual([{ one: 1 }]);
	});
});
