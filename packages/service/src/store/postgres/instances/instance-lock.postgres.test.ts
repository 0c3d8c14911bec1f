import { afterEach, expect, it } from "vitest";
import { openPostgresSession, type PostgresSession } from "../connection/postgres-pool";
import { describeOnPostgres } from "../test-support/describe-on-postgres";
import { APPLICATION } from "../test-support/test-server";
import { isInstanceLockHeld, lockExclusively, shareInstanceLock } from "./instance-lock";

describeOnPostgres("the lock of instances", (database) => {
	const sessions: PostgresSession[] = [];
	async function open(): Promise<PostgresSession> {
		const session = await openPostgresSession(database.toUrl(APPLICATION));
		sessions.push(session);
		return session;
	}
	afterEach(async () => {
		await Promise.all(sessions.splice(0).map((session) => session.close()));
	});
	const lock = () => lockExclusively(database.toUrl(APPLICATION));
	const refusal = { code: "database_in_use" };

	it("is shared by all of them, and keeps commands out until the last one has ended", async () => {
		const [first, second, reader] = [await open(), await open(), await open()];
		expect(await isInstanceLockHeld(reader)).toBe(false);
		for (const session of [first, second]) await shareInstanceLock(session);
		expect(await isInstanceLockHeld(reader)).toBe(true);
		await expect(lock()).rejects.toMatchObject(refusal);
		await first.close();
		await expect(lock()).rejects.toMatchObject(refusal);
		await second.close();
		await expect.poll(() => isInstanceLockHeld(reader)).toBe(false);
		await (await lock()).release();
	});

	it("keeps instances out while a command has it", async () => {
		const held = await lock();
		const [instance, reader] = [await open(), await open()];
		await expect(shareInstanceLock(instance)).rejects.toMatchObject(refusal);
		await expect(lock()).rejects.toMatchObject(refusal);
		expect(await isInstanceLockHeld(reader)).toBe(true);
		await held.release();
		await expect.poll(() => isInstanceLockHeld(reader)).toBe(false);
		await shareInstanceLock(instance);
	});
});
