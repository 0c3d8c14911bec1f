import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, it, onTestFailed } from "vitest";
import { type Api, type Credentials, createApi, fetchToken } from "../durability/service/api.ts";
import { findDamage, listDatabases } from "../durability/service/check-content.ts";
import { type ServiceProcess, startServiceProcess } from "../durability/service/service-process.ts";

const recordings = fileURLToPath(new URL("data-folders", import.meta.url));
const program = fileURLToPath(new URL("serve.mjs", import.meta.url));

/** Data folder that an earlier version has filled: see `record-data-folder.mjs`. */
interface Recording {
	readonly encryptionKey: string;
	readonly expected: {
		readonly knowledgeBase: string;
		readonly sources: readonly string[];
		readonly query: string;
		/** Text of the first passage that answers the query. */
		readonly first: string;
		readonly agent: string;
		readonly run: { readonly id: string; readonly status: string; readonly output: string };
		readonly client: Credentials;
		readonly settings: { readonly base_url: string; readonly model: string };
	};
	/** Files by their paths, in base64. */
	readonly files: Readonly<Record<string, string>>;
}

let data: string;
let service: ServiceProcess | undefined;
beforeEach(() => {
	data = mkdtempSync(join(tmpdir(), "stemma-recorded-"));
});
afterEach(async () => {
	await service?.kill();
	rmSync(data, { recursive: true, force: true });
});

function unpack(name: string): Recording {
	const text = gunzipSync(readFileSync(join(recordings, name))).toString();
	const recording = JSON.parse(text) as Recording;
	for (const [path, bytes] of Object.entries(recording.files)) {
		mkdirSync(dirname(join(data, path)), { recursive: true });
		writeFileSync(join(data, path), Buffer.from(bytes, "base64"));
	}
	return recording;
}

async function serve({ encryptionKey }: Recording): Promise<{ readonly url: string; readonly api: Api }> {
	service = startServiceProcess(data, "", [encryptionKey], { program });
	const { url } = await service.ready;
	const name = readdirSync(data).find((entry) => entry.endsWith("credentials.json")) ?? "";
	const credentials = JSON.parse(readFileSync(join(data, name), "utf8")) as Credentials;
	return { url, api: createApi(url, await fetchToken(url, credentials)) };
}

it.each(readdirSync(recordings))("opens and answers the same: %s", { timeout: 120_000 }, async (name) => {
	onTestFailed(() => console.error(service?.errorOutput.join("\n")));
	const recording = unpack(name);
	const { url, api } = await serve(recording);
	const { expected } = recording;
	await checkKnowledge(api, expected);
	await checkAgent(api, expected);
	await fetchToken(url, expected.client);
	await service?.kill();
	for (const path of listDatabases(data))
		expect({ path, damage: findDamage(path) }).toEqual({ path, damage: [] });
});

async function checkKnowledge(api: Api, expected: Recording["expected"]): Promise<void> {
	const base = expected.knowledgeBase;
	const { data: documents } = await api.get<{ data: { source: string }[] }>(
		`/v1/knowledge-bases/${base}/documents?limit=100`,
	);
	expect(documents.map(({ source }) => source).sort()).toEqual([...expected.sources].sort());
	const search = async (query: string): Promise<readonly string[]> => {
		const { passages } = await api.post<{ passages: { text: string }[] }>("/v1/search", {
			query,
			knowledge_base_ids: [base],
		});
		return passages.map(({ text }) => text);
	};
	expect((await search(expected.query))[0]).toBe(expected.first);
	expect((await search("unicorns")).filter((text) => text.includes("unicorns"))).toEqual([]);
}

/** The run that was kept, sealed settings, and the same run again without them: with a vendor's key it would be called. */
async function checkAgent(api: Api, { agent, run, settings, query }: Recording["expected"]): Promise<void> {
	expect(await api.get(`/v1/runs/${run.id}`)).toMatchObject({
		status: run.status,
		result: { output: run.output },
	});
	expect(await api.get("/v1/workspace/llm-settings")).toMatchObject({ ...settings, status: "ok" });
	await api.delete("/v1/workspace/llm-settings");
	const again = await api.post<{ status: string; output: string }>(`/v1/agents/${agent}/run`, {
		input: query,
	});
	expect(again.status).toBe("completed");
	expect(again.output).toContain("three years from the day of purchase");
}
