import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, knowledge } from "@stemma/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { IngestWork } from "./ingest-work";
import { fingerprint } from "./local-document";
import type { PlannedUpload } from "./plan-ingest";
import { uploadAll } from "./upload-all";

let folder: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "stemma-upload-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function plan(...names: readonly string[]): Promise<PlannedUpload[]> {
	const uploads: PlannedUpload[] = [];
	for (const source of names) {
		const file = join(folder, source);
		await writeFile(file, source);
		uploads.push({ kind: "new", document: await fingerprint({ source, file }) });
	}
	return uploads;
}

/** A service that refuses requests by their sources. */
function workWith(
	refuse: (sources: readonly string[]) => number | undefined,
	{ code = "refused", retryAfter }: { readonly code?: string; readonly retryAfter?: string } = {},
) {
	const taken: string[] = [];
	const client = createClient({
		baseUrl: "http://service.test",
		clientKey: "ck_1_secret",
		maxRetries: 0,
		fetch: async (_, { body }) => {
			const sources = (body as FormData).getAll("source").map(String);
			const status = refuse(sources) ?? 202;
			if (status === 202) taken.push(...sources);
			const error = { code, message: "It is refused." };
			const headers = retryAfter === undefined ? {} : { "retry-after": retryAfter };
			return Response.json(status === 202 ? { data: [] } : { error }, { status, headers });
		},
	});
	const work: IngestWork = {
		knowledge: knowledge(client),
		knowledgeBaseId: "kb_1",
		failures: new Map(),
		onProgress: () => undefined,
		signal: undefined,
	};
	return { work, taken };
}

describe("uploadAll", () => {
	it("keeps nothing back because of a document that is refused", async () => {
		const { work, taken } = workWith((sources) => (sources.includes("bad.md") ? 422 : undefined));
		await uploadAll(work, await plan("a.md", "bad.md", "b.md"));
		expect(taken.toSorted()).toEqual(["a.md", "b.md"]);
		expect([...work.failures]).toEqual([["bad.md", "It is refused."]]);
	});

	it.each([429, 503])("waits while the service is too busy, and says so: %d", async (status) => {
		const busy = [status, status];
		const codes: string[] = [];
		const { work, taken } = workWith(() => busy.pop(), { code: "too_many_bytes", retryAfter: "0.01" });
		await uploadAll({ ...work, onBusy: ({ code }) => void codes.push(code) }, await plan("a.md"));
		expect(taken).toEqual(["a.md"]);
		expect(codes).toEqual(["too_many_bytes", "too_many_bytes"]);
	});

	it("does not wait for what a pause does not mend", async () => {
		const { work } = workWith(() => 503, { code: "storage_full", retryAfter: "0.01" });
		await expect(uploadAll(work, await plan("a.md"))).rejects.toMatchObject({ code: "storage_full" });
	});

	it("names a file that is gone when its turn comes", async () => {
		const uploads = await plan("a.md", "gone.md");
		await rm(join(folder, "gone.md"));
		const { work, taken } = workWith(() => undefined);
		await uploadAll(work, uploads);
		expect(taken).toEqual(["a.md"]);
		expect([...work.failures.keys()]).toEqual(["gone.md"]);
	});

	it.each([401, 403, 404, 500])("stops at what is about no document: %d", async (status) => {
		const { work } = workWith(() => status);
		await expect(uploadAll(work, await plan("a.md", "b.md"))).rejects.toMatchObject({ status });
	});
});
