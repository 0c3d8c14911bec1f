import { expect, it } from "vitest";
import { Secret } from "../../encryption/secret";
import type { StoreOpener } from "../store-opener";
import { openPostgresSession } from "./connection/postgres-pool";
import { lockExclusively } from "./instances/instance-lock";
import { startPostgresStores } from "./open-stores";
import { describeOnPostgres } from "./test-support/describe-on-postgres";
import { APPLICATION, OWNER } from "./test-support/test-server";

describeOnPostgres("stores", (database) => {
	const start = (role: typeof APPLICATION | typeof OWNER | "postgres" = APPLICATION): Promise<StoreOpener> =>
		startPostgresStores({ url: new Secret(database.toUrl(role)), poolSize: 4 });
	const onDamage = (): void => undefined;

	it("are there again after a restart, and are missed where they were lost", async () => {
		const first = await start();
		const { workspaces } = await first.openDeployment();
		expect(await workspaces.listAll()).toEqual([]);
		const opened = await first.openWorkspace({ id: "ws_1", isKnown: false, onDamage });
		await opened.close();
		await first.stop();
		const second = await start();
		await expect(second.openWorkspace({ id: "ws_1", isKnown: true, onDamage })).resolves.toBeDefined();
		await expect(second.openWorkspace({ id: "ws_2", isKnown: true, onDamage })).rejects.toMatchObject({
			code: "storage_missing",
		});
		await second.stop();
	});

	it("are opened by several instances, and by none while a command has the database", async () => {
		const opened = [await start(), await start()];
		for (const { stop } of opened) await stop();
		const lock = await lockExclusively(database.toUrl(APPLICATION));
		await expect(start()).rejects.toMatchObject({ code: "database_in_use" });
		await lock.release();
		await (await start()).stop();
	});

	it("take no more of a workspace that another instance has deleted", async () => {
		const [first, second] = [await start(), await start()];
		const workspace = await first.openWorkspace({ id: "ws_gone", isKnown: false, onDamage });
		const other = await second.openWorkspace({ id: "ws_gone", isKnown: true, onDamage });
		const entry = { action: "llm_settings.tested", actor: "cl_1", target: "llm_settings" } as const;
		await Promise.all([workspace, other].map(({ audit }) => audit.record(entry)));
		await first.deleteWorkspace("ws_gone");
		for (const { audit, settings } of [workspace, other]) {
			await expect(audit.record(entry)).rejects.toMatchObject({ code: "storage_unavailable" });
			expect(await settings.find()).toBeUndefined();
		}
		await first.stop();
		await second.stop();
	});

	it("are deleted with all that a workspace has, and nothing of another", async () => {
		const opener = await start();
		for (const id of ["ws_a", "ws_b"]) await opener.openWorkspace({ id, isKnown: false, onDamage });
		await opener.deleteWorkspace("ws_a");
		const isThere = (id: string): Promise<boolean> =>
			opener.openWorkspace({ id, isKnown: true, onDamage }).then(
				() => true,
				() => false,
			);
		expect([await isThere("ws_a"), await isThere("ws_b")]).toEqual([false, true]);
		await opener.stop();
	});

	it("are not opened with a role that row-level security does not bind", async () => {
		await expect(start("postgres")).rejects.toMatchObject({ code: "database_unsuitable" });
		// A failed start leaves nothing behind.
		await (await start()).stop();
	});

	it("tell that the server cannot be reached", async () => {
		const url = new Secret("postgres://role@127.0.0.1:1/database");
		await expect(startPostgresStores({ url, poolSize: 2 })).rejects.toMatchObject({
			code: "storage_unavailable",
		});
	});

	it("need pgvector where there is an embedding model", async () => {
		const admin = await openPostgresSession(database.toUrl("postgres"));
		await admin.query("drop extension if exists vector cascade");
		await admin.close();
		const options = { url: new Secret(database.toUrl(APPLICATION)), poolSize: 2 };
		await expect(startPostgresStores({ ...options, needsVectorSearch: true })).rejects.toMatchObject({
			code: "vectors_unavailable",
		});
		await (await startPostgresStores(options)).stop();
	});

	it("are created by their owner, where it is named", async () => {
		const opener = await startPostgresStores({
			url: new Secret(database.toUrl(APPLICATION)),
			ownerUrl: new Secret(database.toUrl(OWNER)),
			poolSize: 2,
		});
		await expect(opener.openDeployment()).resolves.toBeDefined();
		await opener.stop();
	});
});
