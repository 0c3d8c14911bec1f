import { spawnSync } from "node:child_process";
import {
	closeSync,
	existsSync,
	fsyncSync,
	mkdtempSync,
	openSync,
	readFileSync,
	rmSync,
	statfsSync,
	writeFileSync,
	writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { KnowledgeBase } from "@stemma/client";
import * as built from "@stemma/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectApiError, readApiError } from "./test-support/expect-error";
import { type SendRequest, sendTo } from "./test-support/send-request";
import { findDamage } from "./test-support/stored-rows";
import { getBody, waitUntilIndexed } from "./test-support/tenant";
import { fetchToken, TEST_ENCRYPTION, toTestConfiguration } from "./test-support/test-deployment";

const MEBIBYTE = 1024 * 1024;
const RESERVE_BYTES = 4 * MEBIBYTE;
const QUOTA_BYTES = 2 * MEBIBYTE;

/** Lines that no index stores twice. */
const toText = (bytes: number, word: string): string =>
	Array.from(
		{ length: Math.ceil(bytes / 40) },
		(_, line) => `${word} line ${line} says ${line * 7919}.`,
	).join("\n");

const addBase = (send: SendRequest, name: string): Promise<KnowledgeBase> =>
	getBody<KnowledgeBase>(send("POST", "/v1/knowledge-bases", { json: { name } }));

const upload = (send: SendRequest, base: string, text: string) =>
	send("POST", `/v1/knowledge-bases/${base}/documents`, { json: { text } });

describe("the quota of a workspace", () => {
	let folder: string;
	let service: built.Service;

	beforeAll(async () => {
		folder = mkdtempSync(join(tmpdir(), "stemma-quota-"));
		const limits = { storage_bytes: QUOTA_BYTES };
		service = await built.createService(toTestConfiguration(built, folder, { limits }));
	});
	afterAll(async () => {
		await service.close(0);
		rmSync(folder, { recursive: true, force: true });
	});

	it("refuses what goes beyond, says how much is used, and deleting gives it back", {
		timeout: 60_000,
	}, async () => {
		const credentials = await service.createWorkspace("large");
		const other = await service.createWorkspace("other");
		const send = sendTo(service.fetch, await fetchToken(sendTo(service.fetch), credentials));
		const base = await addBase(send, "books");
		for (let number = 0; ; number++) {
			const answer = await upload(send, base.id, toText(200_000, `book${number}`));
			await waitUntilIndexed(send, base.id);
			if (answer.status === 202 && number < 100) continue;
			expectApiError(answer, 403, "quota_exceeded");
			const { details } = readApiError(answer) as { details?: { used: number; maximum: number } };
			expect(details).toMatchObject({ quota: "storage_bytes", maximum: QUOTA_BYTES });
			expect(number).toBeGreaterThan(1);
			break;
		}
		for (const [path, json] of [
			[
				"/v1/agents",
				{ graph: { nodes: [{ id: "a", kind: "coordinator", instructions: "x".repeat(1_900_000) }] } },
			],
			[`/v1/knowledge-bases/${base.id}/documents`, { text: toText(1_900_000, "more") }],
		] as const)
			expectApiError(await send("POST", path, { json }), 403, "quota_exceeded");
		const { storage } = await getBody<{ storage: { bytes: number; max_bytes: number; documents: number } }>(
			send("GET", "/v1/usage"),
		);
		expect(storage.max_bytes).toBe(QUOTA_BYTES);
		expect(storage.bytes).toBeGreaterThan(QUOTA_BYTES / 2);
		expect(storage.documents).toBeGreaterThan(1);
		// What it has is read and searched all the same, and nobody else is concerned.
		await getBody(send("POST", "/v1/search", { json: { query: "line", knowledge_base_ids: [base.id] } }));
		const second = sendTo(service.fetch, await fetchToken(sendTo(service.fetch), other));
		expect((await upload(second, (await addBase(second, "mine")).id, "Words.")).status).toBe(202);
		await getBody(send("DELETE", `/v1/knowledge-bases/${base.id}`));
		const bytes = async () =>
			(await getBody<{ storage: { bytes: number } }>(send("GET", "/v1/usage"))).storage.bytes;
		await expect.poll(bytes).toBeLessThan(storage.bytes / 2);
		const again = await addBase(send, "again");
		expect((await upload(send, again.id, toText(200_000, "again"))).status).toBe(202);
	});

	it("is shown to operators", async () => {
		const first = JSON.parse(readFileSync(join(folder, "first-credentials.json"), "utf8"));
		const send = sendTo(service.fetch, await fetchToken(sendTo(service.fetch), first));
		const { data } = await getBody<{ data: { storage_bytes?: number }[] }>(send("GET", "/v1/workspaces"));
		for (const { storage_bytes } of data) expect(storage_bytes).toBeGreaterThan(0);
	});
});

const folder = mkdtempSync(join(tmpdir(), "stemma-reserve-"));
const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=32m", "tmpfs", folder]);
const canMount = mounted.status === 0;

/** Mounting needs rights that not every machine gives. */
describe.skipIf(!canMount)(
	`the reserve of the disk${canMount ? "" : ` (no tmpfs: ${mounted.stderr})`}`,
	() => {
		let service: built.Service;
		let credentials: built.WorkspaceCredentials;
		let send: SendRequest;
		let base: string;
		const start = () =>
			built.createService(
				toTestConfiguration(built, folder, {
					limits: { disk_reserve_bytes: RESERVE_BYTES },
					encryption: TEST_ENCRYPTION,
					outbound: { allow: ["127.0.0.1"] },
				}),
			);

		beforeAll(async () => {
			service = await start();
			credentials = await service.createWorkspace("tenant");
			send = sendTo(service.fetch, await fetchToken(sendTo(service.fetch), credentials));
			base = (await addBase(send, "books")).id;
			for (let number = 0; number < 4; number++)
				await getBody(upload(send, base, toText(50_000, `book${number}`)));
			await waitUntilIndexed(send, base);
		});
		afterAll(async () => {
			await service?.close(0);
			if (canMount) spawnSync("umount", ["-l", folder]);
			rmSync(folder, { recursive: true, force: true });
		});

		/** Takes all the space that is left, but for so many bytes. */
		function fill(spareBytes: number): void {
			const { bavail, bsize } = statfsSync(folder);
			const file = openSync(join(folder, "filler"), "a");
			const block = Buffer.alloc(bsize, 1);
			try {
				for (let left = bavail * bsize - spareBytes; left >= bsize; left -= bsize) writeSync(file, block);
				fsyncSync(file);
			} catch (error) {
				// The service may have written meanwhile: then it is full sooner.
				expect(error).toMatchObject({ code: "ENOSPC" });
			}
			closeSync(file);
		}

		const newToken = () => fetchToken(sendTo(service.fetch), credentials);

		async function expectOthersServed(): Promise<void> {
			const own = sendTo(service.fetch, await newToken());
			await getBody(own("POST", "/v1/search", { json: { query: "book0 line", knowledge_base_ids: [base] } }));
			const settings = { provider: "openai-compatible", base_url: "http://127.0.0.1:9/v1", model: "m" };
			await getBody(
				own("PUT", "/v1/workspace/llm-settings", { json: { ...settings, api_key: `key-${Math.random()}` } }),
			);
			await getBody(own("POST", "/v1/clients", { json: { name: "another", scopes: ["ask"] } }));
			const { data } = await getBody<{ data: { id: string }[] }>(
				own("GET", `/v1/knowledge-bases/${base}/documents`),
			);
			await getBody(own("DELETE", `/v1/knowledge-bases/${base}/documents/${data[0]?.id}`));
		}

		async function expectGrowthRefused(): Promise<void> {
			for (const [path, json] of [
				[`/v1/knowledge-bases/${base}/documents`, { text: "More words." }],
				["/v1/knowledge-bases", { name: "more" }],
				["/v1/agents", { graph: { nodes: [{ id: "a", kind: "coordinator" }] } }],
			] as const) {
				const answer = await send("POST", path, { json });
				expectApiError(answer, 503, "storage_full");
				expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
			}
		}

		it("is left alone by uploads, agents and runs, and /readyz says so", async () => {
			await expect.poll(() => existsSync(join(folder, "ballast"))).toBe(true);
			fill(RESERVE_BYTES / 2);
			await expectGrowthRefused();
			await expectOthersServed();
			const { status, body } = await sendTo(service.fetch)("GET", "/readyz");
			expect(status).toBe(200);
			expect(body).toMatchObject({ status: "ready", warnings: [{ code: "storage_low" }] });
		});

		it("serves tokens, deletions and settings when others have filled the disk to the last byte", async () => {
			fill(0);
			await expectGrowthRefused();
			await expectOthersServed();
			await expectOthersServed();
			expect(existsSync(join(folder, "ballast"))).toBe(false);
			expect((await sendTo(service.fetch)("GET", "/readyz")).body).toMatchObject({
				warnings: [{ code: "storage_low" }],
			});
		});

		it("takes everything again once there is space", async () => {
			rmSync(join(folder, "filler"));
			await getBody(upload(send, base, "More words."));
			await waitUntilIndexed(send, base);
			expect((await sendTo(service.fetch)("GET", "/readyz")).body).not.toHaveProperty("warnings");
			await expect.poll(() => existsSync(join(folder, "ballast"))).toBe(true);
			await service.close(0);
			expect(findDamage(folder)).toEqual([]);
		});

		it("is given back for a start on a disk that was filled while no service ran", async () => {
			await service.close(0);
			// As after a copy of the folder: the lock file is made anew.
			rmSync(join(folder, "lock.sqlite"));
			expect(existsSync(join(folder, "ballast"))).toBe(true);
			fill(0);
			service = await start();
			await expectOthersServed();
			expect(existsSync(join(folder, "ballast"))).toBe(false);
			await service.close(0);
		});

		it("is given back for a client that is made without a service", async () => {
			await service.close(0);
			rmSync(join(folder, "filler"), { force: true });
			rmSync(join(folder, "lock.sqlite"));
			writeFileSync(join(folder, "ballast"), Buffer.alloc(MEBIBYTE, 1));
			fill(0);
			const made = await built.createOperatorClient({ data: folder }, { name: "way back in" });
			expect(made.workspace_id).toMatch(/^ws_/);
			expect(existsSync(join(folder, "ballast"))).toBe(false);
		});
	},
);
