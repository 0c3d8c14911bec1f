import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createKeyring } from "./keyring";
import { resealWorkspace } from "./reseal";
import { listSealed } from "./sealed-values";
import {
	createEncryptionKey,
	openAll,
	openWorkspaceDatabase,
	putSecret,
	putSettings,
} from "./test-support/sealed-workspace";

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
	const { id, database } = openWorkspaceDatabase("ws_1");
	/** As it is in the beginning. */
	const fill = async (): Promise<void> => {
		await database.write.deleteFrom("audit").execute();
		await putSettings(database.write, id, { keyring: before, apiKey: "the key" });
		await putSecret(database.write, id, { keyring: before, name: "a", value: "secret a" });
		await putSecret(database.write, id, { keyring: before, name: "b", value: "secret b" });
	};
	await fill();
	const reseal = (signal?: AbortSignal) =>
		resealWorkspace(database.write, { workspaceId: id, keyring, signal });
	const readAudit = () => database.read.selectFrom("audit").selectAll().execute();
	return { id, queries: database.write, fill, reseal, readAudit };
}

type TestWorkspace = Awaited<ReturnType<typeof openWorkspace>>;

const ALL = { llm_settings: "the key", a: "secret a", b: "secret b" };

describe("what a workspace has sealed", () => {
	it("is sealed with the first key alone, and is what it was", async () => {
		const { id, queries, reseal } = await openWorkspace();
		const rows = await queries.selectFrom("llm_settings").selectAll().executeTakeFirstOrThrow();
		expect(await reseal()).toEqual({ resealed: 3, alreadyCurrent: 0, undecryptable: 0 });
		expect(await openAll(queries, id, after)).toEqual(ALL);
		expect(Object.values(await openAll(queries, id, before))).toEqual([undefined, undefined, undefined]);
		const { api_key } = await queries.selectFrom("llm_settings").selectAll().executeTakeFirstOrThrow();
		expect(await queries.selectFrom("llm_settings").selectAll().execute()).toEqual([{ ...rows, api_key }]);
	});

	it("is left alone the second time", async () => {
		const { id, queries, reseal } = await openWorkspace();
		await reseal();
		const values = await listSealed(queries, id);
		expect(await reseal()).toEqual({ resealed: 0, alreadyCurrent: 3, undecryptable: 0 });
		expect(await listSealed(queries, id)).toEqual(values);
	});

	it("is left alone where no key opens it, and where it is not what its key has sealed", async () => {
		const { id, queries, reseal } = await openWorkspace();
		await putSettings(queries, id, { keyring: lost, apiKey: "lost" });
		await putSecret(queries, id, { keyring: after, name: "a", value: "secret a" });
		// As if someone had sent it elsewhere.
		await queries.updateTable("workspace_secrets").set({ server_url: "https://x.example" }).execute();
		await putSecret(queries, id, { keyring: before, name: "b", value: "secret b" });
		const values = await listSealed(queries, id);
		expect(await reseal()).toEqual({ resealed: 1, alreadyCurrent: 0, undecryptable: 2 });
		const now = await listSealed(queries, id);
		expect(now.filter(({ envelope }) => values.some((value) => value.envelope === envelope))).toHaveLength(2);
		expect(await openAll(queries, id, lost)).toMatchObject({ llm_settings: "lost" });
	});

	it("is sealed once where two do it at the same time", async () => {
		const { id, queries, reseal } = await openWorkspace();
		const outcomes = await Promise.all([reseal(), reseal()]);
		const [one, two] = outcomes.map(({ resealed }) => resealed);
		expect((one ?? 0) + (two ?? 0)).toBe(3);
		expect(outcomes.map(({ resealed, alreadyCurrent }) => resealed + alreadyCurrent)).toEqual([3, 3]);
		expect(await openAll(queries, id, after)).toEqual(ALL);
	});

	it("may be nothing, also where there are settings without a key", async () => {
		const { id, database } = openWorkspaceDatabase("ws_2");
		const nothing = { resealed: 0, alreadyCurrent: 0, undecryptable: 0 };
		const reseal = () => resealWorkspace(database.write, { workspaceId: id, keyring });
		expect(await reseal()).toEqual(nothing);
		await putSettings(database.write, id, { keyring: before });
		expect(await reseal()).toEqual(nothing);
		expect(await database.read.selectFrom("audit").selectAll().execute()).toEqual([]);
	});

	it("is audited with a count and the name of the key, where anything was done", async () => {
		const { reseal, readAudit } = await openWorkspace();
		await reseal();
		await reseal();
		expect(await readAudit()).toEqual([
			expect.objectContaining({
				action: "credentials.resealed",
				actor: "operator",
				details: JSON.stringify({ count: 3, key: "new" }),
			}),
		]);
	});

	it("is sealed and audited up to where it was stopped, and goes on from there", async () => {
		const workspace = await openWorkspace();
		const stops = new Set<number>();
		for (let turns = 0; turns < 120; turns += 2) stops.add(await stopAfter(turns, workspace));
		// From before the first value to after the last one.
		expect(stops).toEqual(new Set([0, 1, 2, 3]));
	});

	async function stopAfter(turns: number, workspace: TestWorkspace): Promise<number> {
		const { id, queries, fill, reseal, readAudit } = workspace;
		await fill();
		const stop = new AbortController();
		const stopping = reseal(stop.signal).catch((error: unknown) => expect(error).toBe(stop.signal.reason));
		await passTurns(turns);
		stop.abort();
		await stopping;
		expect(await openAll(queries, id, keyring)).toEqual(ALL);
		const done = Object.values(await openAll(queries, id, after)).filter(
			(value) => value !== undefined,
		).length;
		expect((await readAudit()).map(({ details }) => JSON.parse(details).count)).toEqual(
			done === 0 ? [] : [done],
		);
		expect(await reseal()).toEqual({ resealed: 3 - done, alreadyCurrent: done, undecryptable: 0 });
		return done;
	}

	it("is never put over what was set meanwhile", async () => {
		const { id, queries, fill, reseal } = await openWorkspace();
		for (let round = 0; round < 80; round++) {
			await fill();
			const set = async (): Promise<void> => {
				// Another moment each time.
				await passTurns(round);
				await putSettings(queries, id, { keyring, apiKey: "newer", baseUrl: "https://newer.example" });
				await putSecret(queries, id, { keyring: before, name: "a", value: "newer a" });
				await queries.deleteFrom("workspace_secrets").where("name", "=", "b").execute();
			};
			const [outcome] = await Promise.all([reseal(), set()]);
			expect(outcome.undecryptable).toBe(0);
			expect(await openAll(queries, id, keyring)).toEqual({ llm_settings: "newer", a: "newer a" });
		}
	});
});

async function passTurns(count: number): Promise<void> {
	for (let turn = 0; turn < count; turn++) await (turn % 20 === 0 ? nextTurn() : undefined);
}
