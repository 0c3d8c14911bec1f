import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createId } from "../../create-id";
import { describeOnPostgres } from "../../store/postgres/test-support/describe-on-postgres";
import {
	startTestInstances,
	type TestInstance,
	type TestInstances,
} from "../../store/postgres/test-support/test-instance";
import type { WorkspaceStore } from "../../store/workspace-store";
import { createKnowledge, type Knowledge, type KnowledgeOptions } from "../knowledge";
import { createHashedEmbedder } from "../test-support/hashed-embedder";
import { createHeldReader, type HeldReader } from "../test-support/held-reader";

/** Queue of one workspace on one instance. */
interface QueueProcess {
	readonly instance: TestInstance;
	readonly store: WorkspaceStore;
	readonly knowledge: Knowledge;
	readonly reader: HeldReader;
}

describeOnPostgres(
	"the upload queue of several instances",
	(database) => {
		let instances: TestInstances;
		let workspaceId: string;
		let opened: QueueProcess[];
		let failures: unknown[];
		let releases: (() => void)[];
		beforeEach(async () => {
			instances = await startTestInstances(database);
			workspaceId = createId("ws");
			opened = [];
			[failures, releases] = [[], []];
		});
		afterEach(async () => {
			for (const release of releases) release();
			for (const { knowledge, reader } of opened) {
				reader.release();
				await knowledge.stop();
			}
			await instances.close();
		});

		async function open(isHeld: boolean, options: Partial<KnowledgeOptions> = {}): Promise<QueueProcess> {
			const instance = await instances.add();
			const store = await instance.openWorkspace(workspaceId);
			const reader = createHeldReader(isHeld);
			const knowledge = createKnowledge({
				...{ repositories: store.knowledge, claims: store.claims, reader, rereadsOutdated: false },
				onError: (error) => failures.push(error),
				...options,
			});
			const process = { instance, store, knowledge, reader };
			opened.push(process);
			return process;
		}

		async function start(isHeld: boolean, options: Partial<KnowledgeOptions> = {}): Promise<QueueProcess> {
			const process = await open(isHeld, options);
			await process.knowledge.start();
			return process;
		}

		const addBase = async ({ knowledge }: QueueProcess) =>
			(await knowledge.createKnowledgeBase({ name: createId("kb") })).id;

		const add = ({ knowledge }: QueueProcess, base: string, texts: readonly string[]) =>
			knowledge.addDocuments(
				base,
				texts.map((text) => ({ content: text, format: "text" as const })),
			);

		const listStatuses = async ({ knowledge }: QueueProcess, base: string) =>
			(await knowledge.listDocuments(base, { limit: 200 })).map(({ status }) => status);

		const toTexts = (count: number) => Array.from({ length: count }, (_, number) => `Rule ${number}.`);

		/** Takes over as an instance does that sees the end of another one. */
		async function takeOver({ instance, knowledge, store }: QueueProcess): Promise<void> {
			expect(await instance.listInterrupted()).toContain(workspaceId);
			await knowledge.recover();
			await store.claims.recovering(async () => undefined);
		}

		it("is read by an instance that did not get the uploads", async () => {
			const reading = await start(false);
			const receiving = await open(false);
			const base = await addBase(receiving);
			await add(receiving, base, ["A refund takes 14 days."]);
			await expect.poll(() => listStatuses(receiving, base)).toEqual(["ready"]);
			expect([reading.reader.started, receiving.reader.started]).toEqual([["A refund takes 14 days."], []]);
		});

		it("has each document read once, though all instances are at it", async () => {
			const processes = [await start(false), await start(false), await start(false)];
			const [first] = processes;
			if (first === undefined) return;
			const base = await addBase(first);
			const texts = toTexts(30);
			for (const [index, text] of texts.entries())
				await add(processes[index % processes.length] ?? first, base, [text]);
			await expect.poll(async () => new Set(await listStatuses(first, base))).toEqual(new Set(["ready"]));
			const read = processes.flatMap(({ reader }) => reader.started);
			expect([...read].sort()).toEqual([...texts].sort());
			// Numbers of passages are of one counter: none has overwritten another's.
			for (const text of ["Rule 0.", "Rule 29."]) {
				const found = await first.knowledge.search({ query: text, knowledge_base_ids: [base], top_k: 1 });
				expect(found.map((passage) => passage.text)).toEqual([text]);
			}
			expect(failures).toEqual([]);
		});

		it("goes on where an instance has ended, which stores nothing any more", async () => {
			const lost = await start(true);
			const base = await addBase(lost);
			await add(lost, base, ["One.", "Two."]);
			await expect.poll(() => lost.reader.started.length).toBe(2);
			const other = await start(false);
			expect(other.reader.started).toEqual([]);
			await lost.instance.expire();
			await takeOver(other);
			await expect.poll(() => listStatuses(other, base)).toEqual(["ready", "ready"]);
			const stored = await other.knowledge.listDocuments(base, { limit: 5 });
			lost.reader.release();
			await lost.knowledge.waitUntilIdle();
			expect(await other.knowledge.listDocuments(base, { limit: 5 })).toEqual(stored);
			expect([other.reader.started, failures]).toEqual([["One.", "Two."], []]);
			expect(await other.instance.listInterrupted()).not.toContain(workspaceId);
		});

		it("gets back what an instance had not read when it stopped, without an attempt", async () => {
			const stopping = await start(true);
			const base = await addBase(stopping);
			const other = await open(false);
			await add(stopping, base, ["One.", "Two."]);
			await expect.poll(() => stopping.reader.started.length).toBe(2);
			await stopping.knowledge.stop();
			const input = { hasVectors: false, after: 0, excluded: [], maxDocuments: 9, maxBytes: 999, now: 1 };
			const claimed = await other.store.knowledge.uploads.claim(input);
			expect(claimed.map(({ attempts }) => attempts)).toEqual([0, 0]);
		});

		it("is told of what another instance gives back", async () => {
			const stopping = await start(true);
			const base = await addBase(stopping);
			await add(stopping, base, ["One."]);
			await expect.poll(() => stopping.reader.started.length).toBe(1);
			const other = await start(false);
			await stopping.knowledge.stop();
			await expect.poll(() => listStatuses(other, base)).toEqual(["ready"]);
		});

		it("fails a document during which one instance after the other ends", async () => {
			const last = await start(true);
			const base = await addBase(last);
			let current = last;
			await add(last, base, ["Poison."]);
			for (let instance = 1; instance <= 6; instance += 1) {
				await expect.poll(() => current.reader.started.length).toBe(1);
				await current.instance.expire();
				current = await start(true);
			}
			await expect.poll(() => listStatuses(current, base)).toEqual(["failed"]);
			const [document] = await current.knowledge.listDocuments(base, { limit: 1 });
			expect([document?.error?.code, current.reader.started]).toEqual(["interrupted", []]);
		});

		it("forgets what is deleted on one instance while another one reads it", async () => {
			const [reading, other] = [await start(true), await start(false)];
			const base = await addBase(reading);
			const [document] = await add(reading, base, ["Wrong."]);
			await expect.poll(() => reading.reader.started.length + other.reader.started.length).toBe(1);
			await other.knowledge.deleteDocument(base, document?.id ?? "");
			reading.reader.release();
			await Promise.all([reading, other].map(({ knowledge }) => knowledge.waitUntilIdle()));
			expect(await listStatuses(other, base)).toEqual([]);
			const found = await other.knowledge.search({ query: "wrong", knowledge_base_ids: [base] });
			expect(found).toEqual([]);
		});

		describe("with vectors", () => {
			it("has the vectors of a document made once, also while the vendor fails", async () => {
				let isDown = true;
				const onCall = (): void => {
					if (isDown) throw new Error("The vendor is down.");
				};
				const embedders = [createHashedEmbedder(64, { onCall }), createHashedEmbedder(64)];
				const first = await start(false, { embedder: embedders[0] });
				const base = await addBase(first);
				await add(first, base, ["A refund."]);
				await expect.poll(() => embedders[0]?.calls.length).toBeGreaterThan(0);
				const second = await start(false, { embedder: embedders[1] });
				second.knowledge.wake();
				await second.knowledge.waitUntilIdle();
				expect([embedders[1]?.calls, second.reader.started]).toEqual([[], []]);
				isDown = false;
				first.knowledge.retryEmbedding();
				await expect.poll(() => listStatuses(second, base)).toEqual(["ready"]);
			});

			it("counts the tries that a vendor failed on, whichever instance made them", async () => {
				const [first, second] = [await open(false), await open(false)];
				const embedder = createHashedEmbedder(64);
				const adding = await open(false, { embedder });
				const base = await addBase(adding);
				await add(adding, base, ["A refund."]);
				const input = { hasVectors: true, after: 0, excluded: [], maxDocuments: 9, maxBytes: 999, now: 1 };
				for (let failures = 1; failures <= 3; failures += 1) {
					const { uploads } = (failures % 2 === 0 ? first : second).store.knowledge;
					const [claimed] = await uploads.claim(input);
					expect(claimed?.vendorFailures).toBe(failures - 1);
					await uploads.requeue({ upload: claimed?.number ?? 0, vendorFailures: failures });
				}
			});

			it("moves a knowledge base on one instance, and goes on where that has ended", async () => {
				const space = { base_url: "https://vectors.example/v1", model: "newer" };
				const former = await start(false);
				const base = await addBase(former);
				await add(former, base, toTexts(3));
				await former.knowledge.waitUntilIdle();
				await former.knowledge.stop();
				const held = Promise.withResolvers<void>();
				releases.push(held.resolve);
				const [lostModel, model] = [
					createHashedEmbedder(64, { space, onCall: () => held.promise }),
					createHashedEmbedder(64, { space }),
				];
				const lost = await start(false, { embedder: lostModel });
				await lost.knowledge.startReindex(base, {}, { actor: "cl_1" });
				await expect.poll(() => lostModel.calls.length).toBe(1);
				const other = await start(false, { embedder: model });
				other.knowledge.wake();
				await other.knowledge.waitUntilIdle();
				expect(model.calls).toEqual([]);
				await lost.instance.expire();
				await other.knowledge.recover();
				await expect.poll(async () => (await other.knowledge.getReindex(base)).status).toBe("completed");
				held.resolve();
				await lost.knowledge.waitUntilIdle();
				expect(failures).toEqual([]);
			});
		});
	},
	{ needsVectors: true },
);
