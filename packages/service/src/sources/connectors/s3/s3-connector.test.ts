import { type S3Simulator, type S3SimulatorOptions, startS3Simulator } from "@stemma/simulators/s3";
import { startServer } from "@stemma/simulators/start-server";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { createTestSource, type TestSource, type TestSourceOptions } from "../test-support/test-source";
import { resolveBucket, toObjectUrl } from "./bucket-address";
import { readObjectList } from "./read-object-list";
import { s3Connector } from "./s3-connector";
import { parseAccessKey, signRequest } from "./sign-request";

type Settings = Parameters<typeof s3Connector.scan>[0];

const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const end of endings.splice(0).reverse()) await end();
});

const KEY = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" };
const CREDENTIAL = `${KEY.accessKeyId}:${KEY.secretAccessKey}`;

async function startStore(options: S3SimulatorOptions): Promise<S3Simulator> {
	const store = await startS3Simulator({ credentials: [KEY], ...options });
	endings.push(() => store.close());
	return store;
}

function addSource(
	settings: Settings,
	options: TestSourceOptions = { credential: CREDENTIAL },
): TestSource<Settings> {
	const source = createTestSource<Settings>(s3Connector, settings, options);
	endings.push(() => source.close());
	return source;
}

const ODD_KEYS = [
	"docs/a b.md",
	"docs/a+b.md",
	"docs/a%20b.md",
	"docs/a&b=c.md",
	"docs/a?b#c.md",
	"docs/(a)*!'.md",
	"docs/über/日本/😀.md",
	"docs//double.md",
	"docs/~tilde_-.md",
	"docs/tab\tnew\nline.md",
	'docs/<quote">.md',
	"/docs/leading.md",
];

describe("a bucket", () => {
	it("is read page by page, whatever its keys are", async () => {
		const objects = Object.fromEntries(ODD_KEYS.map((key) => [key, { body: key }]));
		const store = await startStore({
			buckets: {
				docs: {
					...objects,
					"docs/folder/": { body: "" },
					"docs/image.png": { body: "x" },
					"docs/../up.md": { body: "x" },
				},
			},
			pageSize: 2,
		});
		const source = addSource({ bucket: "docs", endpoint: store.origin });
		const { error, items } = await source.scan();
		expect(error).toBeUndefined();
		expect(source.keys()).toEqual(ODD_KEYS.toSorted());
		for (const key of ODD_KEYS) expect(source.text(key)).toBe(key);
		expect(items).toContain("skipped docs/../up.md invalid_key");
	});

	it("is not read again where its tags are the same", async () => {
		const docs = { "a.md": { body: "a" }, "b.md": { body: "b" }, "c.md": { body: "c" } };
		const store = await startStore({ buckets: { docs } });
		const source = addSource({ bucket: "docs", endpoint: store.origin });
		await source.scan();
		store.requests.length = 0;
		expect((await source.scan()).items).toEqual(["unchanged a.md", "unchanged b.md", "unchanged c.md"]);
		expect(store.requests).toEqual(["GET /docs/?encoding-type=url&list-type=2"]);
		docs["b.md"] = { body: "new" };
		Reflect.deleteProperty(docs, "c.md");
		expect((await source.scan()).items).toEqual(["unchanged a.md", "content b.md"]);
		expect(source.keys()).toEqual(["a.md", "b.md"]);
		expect(source.text("b.md")).toBe("new");
	});

	it("is read below a prefix, by patterns of what follows it", async () => {
		const keys = ["docs/a.md", "docs/drafts/b.md", "docs/sub/c.pdf", "other/d.md", "docs2/e.md"];
		const store = await startStore({
			buckets: { docs: Object.fromEntries(keys.map((key) => [key, { body: key }])) },
		});
		const source = addSource({
			bucket: "docs",
			endpoint: store.origin,
			prefix: "docs/",
			include: ["/*.md", "/sub"],
			exclude: ["drafts"],
		});
		await source.scan();
		expect(source.keys()).toEqual(["docs/a.md", "docs/sub/c.pdf"]);
		await source.scan({ prefix: "docs", include: ["/docs2"] });
		expect(source.keys()).toEqual(["docs2/e.md"]);
	});

	it("leaves out what is too large or archived, and keeps what fails", async () => {
		const docs = {
			"archived.md": { body: "a", storageClass: "GLACIER" },
			"large.md": { body: "x".repeat(2_000) },
			"ok.md": { body: "ok" },
		};
		const store = await startStore({ buckets: { docs } });
		const source = addSource(
			{ bucket: "docs", endpoint: store.origin },
			{ credential: CREDENTIAL, limits: { maxItemBytes: 1_000 } },
		);
		expect((await source.scan()).items).toEqual([
			"skipped archived.md archived",
			"skipped large.md too_large",
			"content ok.md",
		]);
	});

	it("may be public, have temporary credentials, or a part of the host name", async () => {
		const temporary = { ...KEY, sessionToken: "to/ken+==" };
		const store = await startStore({
			buckets: { docs: { "a b.md": { body: "a" } } },
			publicBuckets: ["docs"],
			credentials: [temporary],
		});
		const settings = { bucket: "docs", endpoint: store.origin };
		const anonymous = addSource(settings, {});
		await anonymous.scan();
		expect(anonymous.keys()).toEqual(["a b.md"]);
		const signed = addSource(settings, { credential: `${CREDENTIAL}:${temporary.sessionToken}` });
		expect((await signed.scan()).error).toBeUndefined();
		const endpoint = `http://s3.test.example:${new URL(store.origin).port}`;
		const names = { "docs.s3.test.example": [["127.0.0.1"]] };
		const inHost = addSource(
			{ bucket: "docs", endpoint, virtual_host: true },
			{ credential: `${CREDENTIAL}:${temporary.sessionToken}`, names },
		);
		expect((await inHost.scan()).error).toBeUndefined();
		expect(inHost.keys()).toEqual(["a b.md"]);
		expect(store.requests.at(-1)).toBe("GET /a%20b.md");
	});
});

describe("a store that refuses", () => {
	it.each<[string, Partial<Settings>, string, Partial<S3SimulatorOptions>]>([
		["signature_rejected", {}, `${KEY.accessKeyId}:wrong`, {}],
		["access_key_unknown", {}, "AKIDOTHER:secret", {}],
		["credential_malformed", {}, "AKIDOTHER", {}],
		["credential_expired", {}, CREDENTIAL, { credentials: [{ ...KEY, isExpired: true }] }],
		["credential_expired", {}, CREDENTIAL, { credentials: [{ ...KEY, sessionToken: "t" }] }],
		["clock_skewed", {}, CREDENTIAL, { now: () => new Date(Date.now() + 3_600_000) }],
		["bucket_not_found", { bucket: "other" }, CREDENTIAL, {}],
		["wrong_region", {}, CREDENTIAL, { bucketRegions: { docs: "eu-central-1" } }],
		["wrong_region", { region: "eu-west-1" }, CREDENTIAL, {}],
		["invalid_bucket", { bucket: "../x" }, CREDENTIAL, {}],
		["invalid_region", { region: "x/y" }, CREDENTIAL, {}],
	])("with %s deletes nothing", async (code, changes, credential, options) => {
		const store = await startStore({ buckets: { docs: { "a.md": { body: "a" } } }, ...options });
		const source = addSource({ bucket: "docs", endpoint: store.origin, ...changes }, { credential });
		const { error, message } = await source.scan();
		expect(error).toBe(code);
		expect(message).not.toContain(KEY.secretAccessKey);
	});

	it("without credentials says what is needed", async () => {
		const store = await startStore({ buckets: { docs: {} } });
		expect((await addSource({ bucket: "docs", endpoint: store.origin }, {}).scan()).error).toBe(
			"access_denied",
		);
	});

	it.each([
		["a page", 200, "<html></html>"],
		["a broken list", 200, "<ListBucketResult><Contents>"],
		["entities", 200, '<!DOCTYPE x [<!ENTITY a "b">]><ListBucketResult/>'],
	])("or responds with %s is no store", async (_, status, body) => {
		const server = await startServer(
			0,
			async (_request, response) => void response.writeHead(status).end(body),
		);
		endings.push(() => server.close());
		expect((await addSource({ bucket: "docs", endpoint: server.origin }).scan()).error).toBe("bad_response");
	});

	it("and lists without end is stopped", async () => {
		const body =
			"<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>x</NextContinuationToken></ListBucketResult>";
		const server = await startServer(0, async (_request, response) => void response.end(body));
		endings.push(() => server.close());
		expect((await addSource({ bucket: "docs", endpoint: server.origin }).scan()).error).toBe("bad_response");
	});
});

describe("a signature", () => {
	// The examples of AWS, "Authenticating Requests: Using the Authorization Header".
	const EXAMPLE_KEY = {
		accessKeyId: "AKIAIOSFODNN7EXAMPLE",
		secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
	};
	const EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

	it.each([
		["?lifecycle", "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"],
		["?max-keys=2&prefix=J", "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"],
	])("of %s is the one that AWS documents", async (query, expected) => {
		const { authorization } = await signRequest(
			`https://examplebucket.s3.amazonaws.com/${query}`,
			EXAMPLE_KEY,
			{
				region: "us-east-1",
				date: new Date("2013-05-24T00:00:00Z"),
				headers: { "x-amz-content-sha256": EMPTY },
			},
		);
		expect(/Signature=(\w+)$/.exec(authorization ?? "")?.[1]).toBe(expected);
	});

	it("holds for any key", async () => {
		const docs: Record<string, { body: string }> = {};
		const store = await startStore({ buckets: { docs } });
		const source = addSource({ bucket: "docs", endpoint: store.origin });
		await fc.assert(
			fc.asyncProperty(fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 }), async (text) => {
				for (const key of Object.keys(docs)) delete docs[key];
				const key = `${text}x.md`;
				docs[key] = { body: text };
				const { items } = await source.scan();
				expect(items).toEqual([expect.stringMatching(/^(?:content|skipped|unchanged) /)]);
				expect(items[0]?.startsWith("skipped")).toBe(/(?:^|\/)\.{1,2}\//.test(key));
			}),
			{ numRuns: 150 },
		);
	});
});

it("parses access keys", () => {
	expect(parseAccessKey(" id:se/cr+et=:to:ken ")).toEqual({
		accessKeyId: "id",
		secretAccessKey: "se/cr+et=",
		sessionToken: "to:ken",
	});
	expect(parseAccessKey("id:secret").sessionToken).toBeUndefined();
});

it.each<[Settings, string, string]>([
	[
		{ bucket: "acme-docs" },
		"https://acme-docs.s3.us-east-1.amazonaws.com/",
		"https://s3.us-east-1.amazonaws.com",
	],
	[
		{ bucket: "acme.docs", region: "eu-central-1" },
		"https://s3.eu-central-1.amazonaws.com/acme.docs/",
		"https://s3.eu-central-1.amazonaws.com",
	],
	[
		{ bucket: "docs", region: "cn-north-1" },
		"https://docs.s3.cn-north-1.amazonaws.com.cn/",
		"https://s3.cn-north-1.amazonaws.com.cn",
	],
	[
		{ bucket: "docs", endpoint: "https://minio.example:9000/base/" },
		"https://minio.example:9000/base/docs/",
		"https://minio.example:9000",
	],
	[
		{ bucket: "docs", endpoint: "https://oss.example", virtual_host: true },
		"https://docs.oss.example/",
		"https://oss.example",
	],
])("finds the address of %j", (settings, url, origin) => {
	const bucket = resolveBucket(settings);
	expect([bucket.url, bucket.endpoint.origin]).toEqual([url, origin]);
	expect(toObjectUrl(bucket, "a/b c.md")).toBe(`${url}a/b%20c.md`);
});

it("reads any text as a list or refuses it", async () => {
	await fc.assert(
		fc.asyncProperty(fc.string(), async (text) => {
			const xml = `<ListBucketResult><Contents><Key>${text}</Key></Contents></ListBucketResult>`;
			const list = await readObjectList(Buffer.from(xml)).catch(() => undefined);
			expect(list === undefined || Array.isArray(list.objects)).toBe(true);
		}),
	);
});
