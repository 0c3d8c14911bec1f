import { spawnSync } from "node:child_process";
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as built from "@stemma/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectApiError } from "./test-support/expect-error";
import { sendTo } from "./test-support/send-request";
import { type SlowVendor, startSlowVendor } from "./test-support/slow-vendor";
import { findDamage } from "./test-support/stored-rows";
import { getBody, waitUntilIndexed } from "./test-support/tenant";
import { fetchToken, type TestWorkspace, toTestConfiguration } from "./test-support/test-deployment";

const SIZE_MIB = 16;

const folder = mkdtempSync(join(tmpdir(), "stemma-full-"));
const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${SIZE_MIB}m`, "tmpfs", folder]);
const canMount = mounted.status === 0;

let vendor: SlowVendor;
let service: built.Service;
let workspace: Pick<TestWorkspace, "send">;
let base: string;
let agent: string;

beforeAll(async () => {
	if (!canMount) return;
	vendor = await startSlowVendor();
	const configuration = toTestConfiguration(built, folder, {
		// All of the disk may be used here.
		limits: { disk_reserve_bytes: 0 },
		providers: { slow: { provider: "openai-compatible", base_url: vendor.url, default_model: "slow" } },
	});
	service = await built.createService(configuration);
	const credentials = await service.createWorkspace("full");
	const token = await fetchToken(sendTo(service.fetch), credentials);
	workspace = { send: sendTo(service.fetch, token) };
	base = (await post<{ id: string }>("/v1/knowledge-bases", { name: "books" })).id;
	const model = { provider: "openai-compatible" };
	const graph = { nodes: [{ id: "desk", kind: "coordinator", model }] };
	agent = (await post<{ id: string }>("/v1/agents", { graph })).id;
});
afterAll(async () => {
	await service?.close(0);
	await vendor?.close();
	if (canMount) spawnSync("umount", ["-l", folder]);
	rmSync(folder, { recursive: true, force: true });
});

const post = <Body>(path: string, json: unknown): Promise<Body> =>
	getBody<Body>(workspace.send("POST", path, { json }));

const get = <Body>(path: string): Promise<Body> => getBody<Body>(workspace.send("GET", path));

const filler = () => join(folder, "filler");

/** Takes all the space that is left, but for so many bytes. */
function fill(spareBytes: number): void {
	const { bavail, bsize } = statfsSync(folder);
	const file = openSync(filler(), "w");
	const block = Buffer.alloc(bsize, 1);
	for (let left = bavail * bsize - spareBytes; left >= bsize; left -= bsize) writeSync(file, block);
	fsyncSync(file);
	closeSync(file);
}

const free = (): void => rmSync(filler(), { force: true });

type Acknowledged = { readonly id: string; readonly word: string };

/** Uploads until the service refuses. */
async function uploadUntilFull(prefix: string): Promise<readonly Acknowledged[]> {
	const acknowledged: Acknowledged[] = [];
	for (let number = 0; number < 2000; number++) {
		const word = `${prefix}${number}x7`;
		const json = {
			text: `# Page\n\n${word}\n\n${"All pages say the same, again and again. ".repeat(200)}${word}`,
			source: word,
		};
		const answer = await workspace.send("POST", `/v1/knowledge-bases/${base}/documents`, { json });
		if (answer.status === 202) {
			acknowledged.push({ id: (answer.body as { data: [{ id: string }] }).data[0].id, word });
			continue;
		}
		expectApiError(answer, 503, "storage_full");
		expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
		return acknowledged;
	}
	throw new Error("The disk does not get full.");
}

async function search(query: string): Promise<readonly string[]> {
	const { passages } = await post<{ passages: { document_id: string }[] }>("/v1/search", {
		query,
		knowledge_base_ids: [base],
	});
	return [...new Set(passages.map(({ document_id }) => document_id))];
}

/** Mounting needs rights that not every machine gives. */
describe.skipIf(!canMount)(
	`a full disk${canMount ? "" : ` (no tmpfs: ${String(mounted.stderr).trim()})`}`,
	() => {
		let first: readonly Acknowledged[];
		let run: string;

		it("is told to whoever wants to store something", async () => {
			first = [await uploadOne("before")];
			run = (await post<{ id: string }>(`/v1/agents/${agent}/run`, { input: "Tell me.", background: true }))
				.id;
			await vendor.requested();
			fill(300_000);
			first = [...first, ...(await uploadUntilFull("first"))];
			expect(first.length).toBeGreaterThan(2);
			for (const [path, json] of [
				[
					"/v1/agents",
					{ graph: { nodes: [{ id: "a", kind: "coordinator", instructions: "x".repeat(500_000) }] } },
				],
				[`/v1/knowledge-bases/${base}/documents`, { text: "x ".repeat(500_000) }],
			] as const)
				expectApiError(await workspace.send("POST", path, { json }), 503, "storage_full");
		});

		it("keeps nobody from reading and searching", async () => {
			expect((await workspace.send("GET", "/healthz")).status).toBe(200);
			expect((await workspace.send("GET", "/readyz")).status).toBe(200);
			expect(await search("before0x7")).toEqual([first[0]?.id]);
			for (const path of [
				"/v1/knowledge-bases",
				`/v1/knowledge-bases/${base}/documents`,
				"/v1/agents",
				"/v1/runs",
				"/v1/clients",
			])
				expect((await workspace.send("GET", path)).status, path).toBe(200);
			expect(await get(`/v1/runs/${run}`)).toMatchObject({ status: "running" });
		});

		it("loses no event of a run that goes on meanwhile", async () => {
			vendor.finish(["It opens ", "at nine, ", "as always. ", "y".repeat(200_000)]);
			await new Promise((resolve) => setTimeout(resolve, 700));
			expect(await get(`/v1/runs/${run}`)).toMatchObject({ status: "running" });
			free();
			await expect
				.poll(async () => (await get<{ status: string }>(`/v1/runs/${run}`)).status)
				.toBe("completed");
			const { data, done } = await get<{ data: { seq: number; type: string }[]; done: boolean }>(
				`/v1/runs/${run}/events`,
			);
			expect(data.map(({ seq }) => seq)).toEqual(data.map((_, index) => index + 1));
			expect([data[0]?.type, data.at(-1)?.type, done]).toEqual(["run.started", "run.completed", true]);
			const { result } = await get<{ result: { output: string } }>(`/v1/runs/${run}`);
			expect(result.output).toMatch(/^It opens at nine, as always. y{200000}$/);
		});

		it("takes everything again once there is space, and has lost nothing that it took", async () => {
			// By itself: nothing else wakes the queue.
			await waitUntilIndexed(workspace.send, base);
			const after = await uploadOne("after");
			for (const { id, word } of [...first, after]) expect(await search(word), word).toEqual([id]);
		});

		it("gets full and free again, time after time", async () => {
			const all: Acknowledged[] = [];
			for (const prefix of ["second", "third"]) {
				fill(200_000);
				all.push(...(await uploadUntilFull(prefix)));
				expect(await search("before0x7")).toEqual([first[0]?.id]);
				free();
			}
			await waitUntilIndexed(workspace.send, base);
			for (const { id, word } of [...first, ...all]) expect(await search(word), word).toEqual([id]);
		});

		it("leaves no damage", async () => {
			await service.close(0);
			expect(findDamage(folder)).toEqual([]);
		});
	},
);

async function uploadOne(prefix: string): Promise<Acknowledged> {
	const word = `${prefix}0x7`;
	const path = `/v1/knowledge-bases/${base}/documents`;
	const { data } = await post<{ data: [{ id: string }] }>(path, {
		text: `The word is ${word}.`,
		source: word,
	});
	await waitUntilIndexed(workspace.send, base);
	return { id: data[0].id, word };
}
