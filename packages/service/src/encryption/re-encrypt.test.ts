import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { listCiphertexts } from "../store/repositories/ciphertext-repository";
import { createKeyring } from "./keyring";
import { reencryptWorkspace } from "./re-encrypt";
import {
	createEncryptionKey,
	decryptAll,
	openWorkspaceDatabase,
	putSecret,
	putSettings,
} from "./test-support/encrypted-workspace";

const [oldKey, newKey, lostKey] = [
	createEncryptionKey("old"),
	createEncryptionKey("new"),
	createEncryptionKey("lost"),
];
const before = createKeyring([oldKey]);
const lost = createKeyring([lostKey]);
const keyring = createKeyring([newKey, oldKey]);
const after = createKeyring([newKey]);

async function openWorkspace() {
	const { id, database, store } = openWorkspaceDatabase("ws_1");
	/** As it is in the beginning. */
	const fill = async (): Promise<void> => {
		await database.write.deleteFrom("audit").execute();
		await putSettings(database.write, id, { keyring: before, apiKey: "the key" });
		await putSecret(database.write, id, { keyring: before, name: "a", value: "secret a" });
		await putSecret(database.write, id, { keyring: before, name: "b", value: "secret b" });
	};
	await fill();
	const reencrypt = (signal?: AbortSignal) => reencryptWorkspace(store, { workspaceId: id, keyring, signal });
	const readAudit = () => database.read.selectFrom("audit").selectAll().execute();
	return { id, queries: database.write, fill, reencrypt, readAudit };
}

type TestWorkspace = Awaited<ReturnType<typeof openWorkspace>>;

const ALL = { llm_settings: "the key", a: "secret a", b: "secret b" };

describe("what a workspace has encrypted", () => {
	it("is encrypted with the first key alone, and is what it was", async () => {
		const { id, queries, reencrypt } = await openWorkspace();
		const rows = await queries.selectFrom("llm_settings").selectAll().executeTakeFirstOrThrow();
		expect(await reencrypt()).toEqual({ reencrypted: 3, alreadyCurrent: 0, undecryptable: 0 });
		expect(await decryptAll(queries, id, after)).toEqual(ALL);
		expect(Object.values(await decryptAll(queries, id, before))).toEqual([undefined, undefined, undefined]);
		const { api_key } = await queries.selectFrom("llm_settings").selectAll().executeTakeFirstOrThrow();
		expect(await queries.selectFrom("llm_settings").selectAll().execute()).toEqual([{ ...rows, api_key }]);
	});

	it("is left alone the second time", async () => {
		const { id, queries, reencrypt } = await openWorkspace();
		await reencrypt();
		const values = await listCiphertexts(queries, id);
		expect(await reencrypt()).toEqual({ reencrypted: 0, alreadyCurrent: 3, undecryptable: 0 });
		expect(await listCiphertexts(queries, id)).toEqual(values);
	});

	it("is left alone where no key opens it, and where it is not what its key has encrypted", async () => {
		const { id, queries, reencrypt } = await openWorkspace();
		await putSettings(queries, id, { keyring: lost, apiKey: "lost" });
		await putSecret(queries, id, { keyring: after, name: "a", value: "secret a" });
		// As if someone had sent it elsewhere.
		await queries.updateTable("workspace_secrets").set({ server_url: "https://x.example" }).execute();
		await putSecret(queries, id, { keyring: before, name: "b", value: "secret b" });
		const values = await listCiphertexts(queries, id);
		expect(await reencrypt()).toEqual({ reencrypted: 1, alreadyCurrent: 0, undecryptable: 2 });
		const now = await listCiphertexts(queries, id);
		expect(now.filter(({ envelope }) => values.some((value) => value.envelope === envelope))).toHaveLength(2);
		expect(await decryptAll(queries, id, lost)).toMatchObject({ llm_settings: "lost" });
	});

	it("is encrypted once where two do it at the same time", async () => {
		const { id, queries, reencrypt } = await openWorkspace();
		const outcomes = await Promise.all([reencrypt(), reencrypt()]);
		const [one, two] = outcomes.map(({ reencrypted }) => reencrypted);
		expect((one ?? 0) + (two ?? 0)).toBe(3);
		expect(outcomes.map(({ reencrypted, alreadyCurrent }) => reencrypted + alreadyCurrent)).toEqual([3, 3]);
		expect(await decryptAll(queries, id, after)).toEqual(ALL);
	});

	it("may be nothing, also where there are settings without a key", async () => {
		const { id, database, store } = openWorkspaceDatabase("ws_2");
		const nothing = { reencrypted: 0, alreadyCurrent: 0, undecryptable: 0 };
		const reencrypt = () => reencryptWorkspace(store, { workspaceId: id, keyring });
		expect(await reencrypt()).toEqual(nothing);
		await putSettings(database.write, id, { keyring: before });
		expect(await reencrypt()).toEqual(nothing);
		expect(await database.read.selectFrom("audit").selectAll().execute()).toEqual([]);
	});

	it("is audited with a count and the name of the key, where anything was done", async () => {
		const { reencrypt, readAudit } = await openWorkspace();
		await reencrypt();
		await reencrypt();
		expect(await readAudit()).toEqual([
			expect.objectContaining({
				action: "credentials.resealed",
				actor: "operator",
				details: JSON.stringify({ count: 3, key: "new" }),
			}),
		]);
	});

	it("is encrypted and audited up to where it was stopped, and goes on from there", async () => {
		const workspace = await openWorkspace();
		const stops = new Set<number>();
		for (let turns = 0; turns < 120; turns += 2) stops.add(await abortAfter(turns, workspace));
		// From before the first value to after the last one.
		expect(stops).toEqual(new Set([0, 1, 2, 3]));
	});

	async function abortAfter(turns: number, workspace: TestWorkspace): Promise<number> {
		const { id, queries, fill, reencrypt, readAudit } = workspace;
		await fill();
		const stop = new AbortController();
		const stopping = reencrypt(stop.signal).catch((error: unknown) => expect(error).toBe(stop.signal.reason));
		await waitTicks(turns);
		stop.abort();
		await stopping;
		expect(await decryptAll(queries, id, keyring)).toEqual(ALL);
		const done = Object.values(await decryptAll(queries, id, after)).filter(
			(value) => value !== undefined,
		).length;
		expect((await readAudit()).map(({ details }) => JSON.parse(details).count)).toEqual(
			done === 0 ? [] : [done],
		);
		expect(await reencrypt()).toEqual({ reencrypted: 3 - done, alreadyCurrent: done, undecryptable: 0 });
		return done;
	}

	it("is never put over what was set meanwhile", async () => {
		const { id, queries, fill, reencrypt } = await openWorkspace();
		for (let round = 0; round < 80; round++) {
			await fill();
			const set = async (): Promise<void> => {
				// Another moment each time.
				await waitTicks(round);
				await putSettings(queries, id, { keyring, apiKey: "newer", baseUrl: "https://newer.example" });
				await putSecret(queries, id, { keyring: before, name: "a", value: "newer a" });
				await queries.deleteFrom("workspace_secrets").where("name", "=", "b").execute();
			};
			const [outcome] = await Promise.all([reencrypt(), set()]);
			expect(outcome.undecryptable).toBe(0);
			expect(await decryptAll(queries, id, keyring)).toEqual({ llm_settings: "newer", a: "newer a" });
		}
	});
});

async function waitTicks(count: number): Promise<void> {
	for (let turn = 0; turn < count; turn++) await (turn % 20 === 0 ? nextTurn() : undefined);
}
