import { gzipSync } from "node:zlib";
import type {
	KnowledgeBase,
	KnowledgeDocument,
	Page,
	SearchResult,
	Source,
	SourceSettings,
	SourceSync,
} from "@stemma/client";
import * as built from "@stemma/service";
import { startS3Simulator } from "@stemma/simulators/s3";
import { startServer } from "@stemma/simulators/start-server";
import { packTar } from "modern-tar";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getBody } from "../../test-support/tenant";
import {
	openTestDeployment,
	type TestDeployment,
	type TestWorkspace,
} from "../../test-support/test-deployment";

let deployment: TestDeployment;
let workspace: TestWorkspace;
const endings: (() => Promise<void>)[] = [];

beforeAll(async () => {
	deployment = await openTestDeployment(built, {
		readers: [
			{
				...{ name: "drawings", extensions: ["dwg"], media_types: ["image/vnd.dwg"] },
				command: [process.execPath, "-e", "process.stdin.pipe(process.stdout)"],
			},
		],
	});
	workspace = await deployment.addWorkspace("tests");
});
afterAll(async () => {
	await deployment?.close();
	for (const end of endings.splice(0)) await end();
});

const post = <Body>(path: string, json: object = {}): Promise<Body> =>
	getBody<Body>(workspace.send("POST", path, { json }));
const get = <Body>(path: string): Promise<Body> => getBody<Body>(workspace.send("GET", path));

interface TestBase {
	/** Starts a sync, or waits for the first, and returns its report. */
	sync(): Promise<SourceSync>;
	list(): Promise<readonly (string | null)[]>;
	find(query: string): Promise<readonly (string | null)[]>;
}

async function addSource(settings: SourceSettings, more: object = {}): Promise<TestBase> {
	const { id: baseId } = await post<KnowledgeBase>("/v1/knowledge-bases", { name: "Documents" });
	const base = `/v1/knowledge-bases/${baseId}`;
	const source = await post<Source>(`${base}/sources`, { settings, ...more });
	let isFirst = true;
	const waitForEnd = async (id: string | undefined): Promise<SourceSync> => {
		let last: SourceSync | null = null;
		const isEnded = async (): Promise<boolean> => {
			last = (await get<Source>(`${base}/sources/${source.id}`)).last_sync;
			return last !== null && (id === undefined || last.id === id) && /succeeded|failed/.test(last.status);
		};
		await expect.poll(isEnded, { timeout: 60_000 }).toBe(true);
		return last ?? expect.unreachable();
	};
	return {
		async sync() {
			const started = isFirst ? undefined : await post<SourceSync>(`${base}/sources/${source.id}/sync`);
			isFirst = false;
			return waitForEnd(started?.id);
		},
		list: async () =>
			(await get<Page<KnowledgeDocument>>(`${base}/documents?limit=100`)).data
				.map((one) => one.source)
				.sort(),
		async find(query) {
			let found: readonly (string | null)[] = [];
			const search = async (): Promise<number> => {
				const json = { query, knowledge_base_ids: [baseId] };
				const { passages } = await post<SearchResult>("/v1/search", json);
				found = passages.map((passage) => passage.source);
				return found.length;
			};
			await expect.poll(search, { timeout: 60_000 }).toBeGreaterThan(0);
			return found;
		},
	};
}

describe("a source of documents elsewhere", () => {
	it("is a web site", async () => {
		const pages: Record<string, string | undefined> = {
			"/": "<h1>Harbour</h1><p>Welcome.</p><a href=/ferries>Ferries</a><a href=/old>Old</a><a href=/pier.dwg>Pier</a>",
			"/ferries": "<h1>Ferries</h1><p>The night ferry leaves at eleven.</p>",
			"/old": "<h1>Old</h1><p>Out of date.</p>",
			"/pier.dwg": "The pier of the harbour has nine lamps.",
		};
		const site = await startServer(0, async ({ url = "" }, response) => {
			const body = pages[url];
			response
				.writeHead(body === undefined ? 404 : 200, {
					"content-type": url.endsWith(".dwg") ? "image/vnd.dwg" : "text/html",
				})
				.end(body ?? "not found");
		});
		endings.push(site.close);
		const base = await addSource({ kind: "site", url: `${site.origin}/`, delay_ms: 0 });
		expect(await base.sync()).toMatchObject({ status: "succeeded", counts: { added: 4 } });
		expect(await base.find("nine lamps")).toEqual([`${site.origin}/pier.dwg`]);
		expect((await base.find("night ferry"))[0]).toBe(`${site.origin}/ferries`);
		pages["/old"] = undefined;
		expect(await base.sync()).toMatchObject({
			status: "succeeded",
			counts: { unchanged: 3, removed: 1, added: 0 },
		});
		expect(await base.list()).toEqual([
			`${site.origin}/`,
			`${site.origin}/ferries`,
			`${site.origin}/pier.dwg`,
		]);
	});

	it("is a Git repository", async () => {
		const files = {
			"docs/a.md": "# Lighthouse\n\nIt was built of granite.",
			"docs/b.md": "# Quay\n\nIt is long.",
			"docs/c.dwg": "The crane has a long arm.",
		};
		let downloads = 0;
		const host = await startServer(0, async ({ url, headers }, response) => {
			const entries = Object.entries(files).map(([path, body]) => ({
				header: { name: `repo-1/${path}`, size: body.length, type: "file" as const },
				body,
			}));
			const etag = `"${Buffer.from(JSON.stringify(files)).toString("base64url")}"`;
			if (url !== "/api/v3/repos/acme/repo/tarball/main") return void response.writeHead(404).end();
			if (headers["if-none-match"] === etag) return void response.writeHead(304, { etag }).end();
			downloads += 1;
			response.writeHead(200, { etag }).end(gzipSync(await packTar(entries)));
		});
		endings.push(host.close);
		const base = await addSource({
			kind: "git",
			url: `${host.origin}/acme/repo`,
			host: "github",
			ref: "main",
			path: "docs",
		});
		expect(await base.sync()).toMatchObject({ status: "succeeded", counts: { added: 3 } });
		expect(await base.find("granite")).toEqual([`${host.origin}/acme/repo/blob/main/docs/a.md`]);
		const same = await base.sync();
		expect([same.counts.unchanged, same.counts.removed, same.bytes, downloads]).toEqual([3, 0, 0, 1]);
		files["docs/b.md"] = "# Quay\n\nIt is longer now.";
		expect(await base.sync()).toMatchObject({ status: "succeeded", counts: { unchanged: 2, changed: 1 } });
	});

	it("is a bucket", async () => {
		const docs = {
			"kb/a b.md": { body: "# Crane\n\nIt lifts forty tons." },
			"kb/c.md": { body: "# Dock\n\nIt is dry." },
			"kb/d.dwg": { body: "The dock has two gates." },
		};
		const key = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "abc/def+ghi" };
		const store = await startS3Simulator({ buckets: { docs }, credentials: [key], pageSize: 1 });
		endings.push(store.close);
		const secret = { server_url: store.origin, value: `${key.accessKeyId}:${key.secretAccessKey}` };
		await getBody(workspace.send("PUT", "/v1/workspace/secrets/store", { json: secret }));
		const settings = { kind: "s3", bucket: "docs", prefix: "kb/", endpoint: store.origin } as const;
		const base = await addSource(settings, { credential: "store" });
		expect(await base.sync()).toMatchObject({ status: "succeeded", counts: { added: 3 } });
		expect(await base.find("forty tons")).toEqual(["kb/a b.md"]);
		expect(await base.sync()).toMatchObject({
			status: "succeeded",
			counts: { unchanged: 3, added: 0, changed: 0 },
		});
		const refused = await addSource(settings);
		expect(await refused.sync()).toMatchObject({ status: "failed", error: { code: "access_denied" } });
	});
});
