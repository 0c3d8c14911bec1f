import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { DocumentUpload, SearchResult } from "@stemma/client";
import * as built from "@stemma/service";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sendTo } from "../test-support/send-request";
import { findDamage } from "../test-support/stored-rows";
import { demand, whenIndexed } from "../test-support/tenant";
import { fetchToken, toTestConfiguration } from "../test-support/test-deployment";

/** Serves a folder in a process of its own: tells its address and credentials, then serves until it is killed. */
const SERVE = `
import { readFileSync } from "node:fs";
const { resolveConfiguration, startService } = await import(process.argv[1]);
const content = { data: process.argv[2], listen: { port: 0 }, log: { level: "silent" } };
const { url, firstCredentials } = await startService(resolveConfiguration({ content }));
console.log(JSON.stringify({ url, credentials: JSON.parse(readFileSync(firstCredentials.path, "utf8")) }));
`;
const entry = new URL("../../dist/index.js", import.meta.url).href;
const CRASHES = 5;

let folder: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "stemma-crash-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function serve() {
	const args = ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", SERVE, entry, folder];
	const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
	const [line] = await once(child.stdout, "data");
	const { url, credentials } = JSON.parse(String(line));
	const token = await fetchToken(sendTo(fetch, undefined, url), credentials);
	const kill = async () => {
		child.kill("SIGKILL");
		await once(child, "exit");
	};
	return { send: sendTo(fetch, token, url), credentials, kill };
}

/** Takes a while to read: some hundred passages. */
const toText = (number: number): string =>
	Array.from(
		{ length: 200 },
		(_, part) => `## Part ${part}\n\n${`unique${number} and more words. `.repeat(10)}`,
	).join("\n\n");

it("no acknowledged document is lost, or there twice, when the process is killed again and again", async () => {
	const acknowledged = new Map<number, string>();
	let base = "";
	let credentials: Parameters<typeof fetchToken>[1] | undefined;
	for (let crash = 0; crash < CRASHES; crash++) {
		const running = await serve();
		credentials = running.credentials;
		if (base === "")
			base = (
				await demand<{ id: string }>(running.send("POST", "/v1/knowledge-bases", { json: { name: "b" } }))
			).id;
		const uploading = (async () => {
			for (let number = crash * 1_000; ; number++) {
				const json = { text: toText(number), source: `s${number % 1_000 === 0 ? "same" : number}` };
				const upload = running.send("POST", `/v1/knowledge-bases/${base}/documents`, { json });
				const { data } = await demand<DocumentUpload>(upload);
				acknowledged.set(number, data[0]?.id ?? "");
				if (number % 1_000 === 0)
					for (const old of acknowledged.keys())
						if (old < number && old % 1_000 === 0) acknowledged.delete(old);
			}
		})().catch(() => undefined);
		await wait(300 + crash * 150);
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
		await whenIndexed(send, base);
		for (const [number, id] of acknowledged) {
			const json = { query: `unique${number}`, knowledge_base_ids: [base], top_k: 100 };
			const { passages } = await demand<SearchResult>(send("POST", "/v1/search", { json }));
			expect(passages).toHaveLength(100);
			expect(new Set(passages.map(({ document_id }) => document_id))).toEqual(new Set([id]));
			expect(new Set(passages.map(({ passage_id }) => passage_id)).size).toBe(100);
		}
		// An upload may have been durable without having been acknowledged.
		const { documents, passage_count } = await demand<{
			documents: { total: number };
			passage_count: number;
		}>(send("GET", `/v1/knowledge-bases/${base}`));
		expect(passage_count).toBe(documents.total * 200);
		expect(documents.total - acknowledged.size).toBeLessThanOrEqual(CRASHES);
	} finally {
		await service.close(0);
	}
	expect(findDamage(folder)).toEqual([]);
});
