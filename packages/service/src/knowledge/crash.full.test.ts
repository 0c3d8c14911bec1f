import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { DocumentUpload, KnowledgeBase, SearchResult } from "@stemma/client";
import * as built from "@stemma/service";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sendTo } from "../test-support/send-request";
import { findDamage } from "../test-support/stored-rows";
import { getBody, waitUntilIndexed } from "../test-support/tenant";
import { fetchToken, toTestConfiguration } from "../test-support/test-deployment";

const script = fileURLToPath(new URL("./test-support/serve.mjs", import.meta.url));
const CRASHES = 5;

let folder: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "stemma-crash-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function serve() {
	const child = spawn(process.execPath, [script, folder], { stdio: ["ignore", "pipe", "inherit"] });
	const [line] = await once(child.stdout, "data");
	const { url, credentials } = JSON.parse(String(line));
	const token = await fetchToken(sendTo(fetch, undefined, url), credentials);
	const kill = async () => {
		child.kill("SIGKILL");
		await once(child, "exit");
	};
	return { send: sendTo(fetch, token, url), credentials, kill };
}

/** Each tenth takes several transactions. */
const countPassages = (number: number): number => (number % 10 === 0 ? 300 : 10);

const toText = (number: number): string =>
	Array.from(
		{ length: countPassages(number) },
		(_, part) => `## Part ${part}\n\n${`unique${number} and more words. `.repeat(20)}`,
	).join("\n\n");

it("no acknowledged document is lost, or there twice, when the process is killed again and again", async () => {
	const acknowledged = new Map<string, { readonly number: number; readonly id: string }>();
	let base = "";
	let credentials: Parameters<typeof fetchToken>[1] | undefined;
	for (let crash = 0; crash < CRASHES; crash++) {
		const running = await serve();
		credentials = running.credentials;
		if (base === "")
			base = (
				await getBody<{ id: string }>(running.send("POST", "/v1/knowledge-bases", { json: { name: "b" } }))
			).id;
		let acknowledgedNow = 0;
		const uploading = (async () => {
			for (let number = crash * 100; number < crash * 100 + 60; number++) {
				// The first of each time replaces that of the time before.
				const source = number % 100 === 0 ? "same" : `${number}`;
				const json = { text: toText(number), source };
				const upload = running.send("POST", `/v1/knowledge-bases/${base}/documents`, { json });
				const { data } = await getBody<DocumentUpload>(upload);
				acknowledged.set(source, { number, id: data[0]?.id ?? "" });
				acknowledgedNow += 1;
			}
		})().catch(() => undefined);
		// Each time while later uploads come in and earlier ones are read.
		await expect.poll(() => acknowledgedNow, { interval: 1 }).toBeGreaterThan(3 + 7 * crash);
		await running.kill();
		await uploading;
	}
	expect(acknowledged.size).toBeGreaterThan(CRASHES);

	const service = await built.createService(toTestConfiguration(built, folder));
	try {
		const token = await fetchToken(
			sendTo(service.fetch),
			credentials ?? { client_id: "", client_secret: "" },
		);
		const send = sendTo(service.fetch, token);
		await waitUntilIndexed(send, base);
		for (const { number, id } of acknowledged.values()) {
			const json = { query: `unique${number}`, knowledge_base_ids: [base], top_k: 100 };
			const { passages } = await getBody<SearchResult>(send("POST", "/v1/search", { json }));
			expect(new Set(passages.map(({ document_id }) => document_id))).toEqual(new Set([id]));
			const ids = new Set(passages.map(({ passage_id }) => passage_id));
			expect([passages.length, ids.size]).toEqual([ids.size, Math.min(100, countPassages(number))]);
		}
		// The last upload before a crash may have been durable without having been acknowledged.
		const { documents } = await getBody<KnowledgeBase>(send("GET", `/v1/knowledge-bases/${base}`));
		expect(documents.total - acknowledged.size).toBeLessThanOrEqual(CRASHES);
	} finally {
		await service.close(0);
	}
	expect(findDamage(folder)).toEqual([]);
});
