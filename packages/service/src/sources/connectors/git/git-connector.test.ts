import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { startServer } from "@stemma/simulators/start-server";
import fc from "fast-check";
import { packTar, type TarEntry } from "modern-tar";
import { afterEach, describe, expect, it } from "vitest";
import { createTestSource, type TestSource, type TestSourceOptions } from "../test-support/test-source";
import { resolveArchive, toCredentialOrigin } from "./archive-address";
import { ARCHIVE_LIMITS } from "./archive-limits";
import { gitConnector, hashBlob } from "./git-connector";
import { readArchive } from "./read-archive";

type Settings = Parameters<typeof gitConnector.scan>[0];

const endings: (() => unknown)[] = [];
afterEach(async () => {
	for (const end of endings.splice(0).reverse()) await end();
});

interface TestHost {
	readonly origin: string;
	/** Responses by path with query. */
	readonly responses: Record<
		string,
		{ status?: number; headers?: Record<string, string>; body?: Uint8Array | string } | undefined
	>;
	/** `<path> <authorization>` */
	readonly requests: string[];
}

async function startHost(responses: TestHost["responses"] = {}): Promise<TestHost> {
	const requests: string[] = [];
	const server = await startServer(0, async ({ url = "", headers }, response) => {
		requests.push([url, headers.authorization].filter(Boolean).join(" "));
		const { status = 200, headers: own = {}, body = "" } = responses[url] ?? { status: 404 };
		response.writeHead(status, own).end(body);
	});
	endings.push(() => server.close());
	return { origin: server.origin, responses, requests };
}

function addSource(settings: Settings, options?: TestSourceOptions): TestSource<Settings> {
	const source = createTestSource<Settings>(gitConnector, settings, options);
	endings.push(() => source.close());
	return source;
}

/** Repository that Git itself has made, and archives of its commit. */
function createRepository(files: Readonly<Record<string, string>>): (format: "tar.gz" | "zip") => Buffer {
	const folder = mkdtempSync(join(tmpdir(), "stemma-git-"));
	endings.push(() => rmSync(folder, { recursive: true }));
	const git = (...args: readonly string[]): Buffer =>
		execFileSync(
			"git",
			["-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "tar.tar.gz.command=gzip -cn", ...args],
			{ cwd: folder },
		);
	git("init", "-q", "-b", "main");
	for (const [path, text] of Object.entries(files)) {
		mkdirSync(dirname(join(folder, path)), { recursive: true });
		writeFileSync(join(folder, path), text);
	}
	symlinkSync("/etc/passwd", join(folder, "link.md"));
	git("add", "-A");
	git("commit", "-q", "-m", "first");
	return (format) => git("archive", `--format=${format}`, "--prefix=name-abc123/", "HEAD");
}

const FILES = {
	"README.md": "# Name",
	"docs/a.md": "a",
	"docs/über uns.md": "ü",
	"docs/deep/b.html": "<p>b",
	"docs/drafts/c.md": "c",
	"docs/large.txt": "x".repeat(5_000),
	"docs/model.csv": "version https://git-lfs.github.com/spec/v1\noid sha256:abc\nsize 12345\n",
	".github/hidden.md": "hidden",
	"node_modules/x/readme.md": "module",
	"src/index.ts": "code",
	[`docs/${"long-name-".repeat(20)}.md`]: "long",
};

describe.each(["tar.gz", "zip"] as const)("a repository as %s", (format) => {
	it("is read, and not again where its files are the same", async () => {
		const archive = createRepository(FILES)(format);
		const host = await startHost({ [`/o/n/archive/main.${format}`]: { body: archive } });
		const source = addSource(
			{
				url: `${host.origin}/o/n`,
				ref: "main",
				host: "github",
				archive_url: `${host.origin}/o/n/archive/{ref}.${format}`,
				path: "/docs/",
				exclude: ["drafts"],
			},
			{ limits: { maxItemBytes: 4_000 } },
		);
		const { error, items, found } = await source.scan();
		expect(error).toBeUndefined();
		expect(source.keys()).toEqual([
			"docs/a.md",
			"docs/deep/b.html",
			`docs/${"long-name-".repeat(20)}.md`,
			"docs/über uns.md",
		]);
		expect(items).toContain("skipped docs/large.txt too_large");
		expect(items).toContain("skipped docs/model.csv lfs_pointer");
		expect(found.find(({ key }) => key === "docs/über uns.md")).toMatchObject({
			fileName: "über uns.md",
			url: `${host.origin}/o/n/blob/main/docs/%C3%BCber%20uns.md`,
			version: await hashBlob(Buffer.from("ü")),
		});
		const kinds = (await source.scan()).items.map((item) => item.split(" ")[0]);
		expect(new Set(kinds)).toEqual(new Set(["unchanged", "skipped"]));
	});

	it("that is cut off or damaged deletes nothing", async () => {
		const archive = createRepository(FILES)(format);
		const host = await startHost({ "/x": { body: archive } });
		const source = addSource({ url: `${host.origin}/o/n`, archive_url: `${host.origin}/x` });
		await source.scan();
		const keys = source.keys();
		expect(keys.length).toBeGreaterThan(5);
		for (const body of [archive.subarray(0, archive.length / 2), "<html>", "", archive.toReversed()]) {
			host.responses["/x"] = { body };
			expect((await source.scan()).error).toBe("archive_damaged");
		}
		expect(source.keys()).toEqual(keys);
	});
});

it("hashes as Git does", async () => {
	expect(await hashBlob(Buffer.from("hello\n"))).toBe("ce013625030ba8dba906f756967f9e9ca394464a");
});

describe("the archive of", () => {
	const resolve = (settings: Settings, ref: string, credential?: string) => {
		const { url, headers, toWebAddress } = resolveArchive(settings, ref, credential);
		return [url, headers.authorization, toWebAddress("docs/a b.md"), toCredentialOrigin(settings)];
	};

	it.each<[string, Settings, string, string | undefined, readonly unknown[]]>([
		[
			"GitHub",
			{ url: "https://github.com/o/n.git" },
			"HEAD",
			undefined,
			[
				"https://github.com/o/n/archive/HEAD.tar.gz",
				undefined,
				"https://github.com/o/n/blob/HEAD/docs/a%20b.md",
				"https://api.github.com",
			],
		],
		[
			"GitHub with a token",
			{ url: "https://github.com/o/n/" },
			"feature/x#1",
			"t",
			[
				"https://api.github.com/repos/o/n/tarball/feature/x%231",
				"Bearer t",
				"https://github.com/o/n/blob/feature/x%231/docs/a%20b.md",
				"https://api.github.com",
			],
		],
		[
			"GitHub Enterprise",
			{ url: "https://github.corp.example/o/n" },
			"v1",
			"t",
			[
				"https://github.corp.example/api/v3/repos/o/n/tarball/v1",
				"Bearer t",
				"https://github.corp.example/o/n/blob/v1/docs/a%20b.md",
				"https://github.corp.example",
			],
		],
		[
			"GitLab",
			{ url: "https://gitlab.com/group/sub/n" },
			"a/b",
			"t",
			[
				"https://gitlab.com/api/v4/projects/group%2Fsub%2Fn/repository/archive.tar.gz?sha=a%2Fb",
				"Bearer t",
				"https://gitlab.com/group/sub/n/-/blob/a/b/docs/a%20b.md",
				"https://gitlab.com",
			],
		],
		[
			"Forgejo",
			{ url: "https://codeberg.org/o/n" },
			"main",
			"t",
			[
				"https://codeberg.org/api/v1/repos/o/n/archive/main.tar.gz",
				"token t",
				"https://codeberg.org/o/n/src/branch/main/docs/a%20b.md",
				"https://codeberg.org",
			],
		],
		[
			"Bitbucket",
			{ url: "https://bitbucket.org/w/n" },
			"HEAD",
			"user:pass",
			[
				"https://bitbucket.org/w/n/get/HEAD.tar.gz",
				"Basic dXNlcjpwYXNz",
				"https://bitbucket.org/w/n/src/HEAD/docs/a%20b.md",
				"https://bitbucket.org",
			],
		],
		[
			"a server of one's own",
			{ url: "https://code.example:8443/o/n", host: "gitea" },
			"main",
			undefined,
			[
				"https://code.example:8443/api/v1/repos/o/n/archive/main.tar.gz",
				undefined,
				"https://code.example:8443/o/n/src/branch/main/docs/a%20b.md",
				"https://code.example:8443",
			],
		],
	])("%s is found", (_, settings, ref, credential, expected) => {
		expect(resolve(settings, ref, credential)).toEqual(expected);
	});

	it("an unknown host is not", () => {
		expect(() => resolve({ url: "https://code.example/o/n" }, "main")).toThrow(
			expect.objectContaining({ code: "unknown_host" }),
		);
		expect(() => resolve({ url: "https://github.com/o" }, "main")).toThrow(
			expect.objectContaining({ code: "invalid_url" }),
		);
	});
});

it("asks Gitea for the default branch, and sends the token to its own origin alone", async () => {
	const archive = createRepository({ "a.md": "a" })("tar.gz");
	const other = await startHost({ "/file": { body: archive } });
	const host = await startHost({
		"/api/v1/repos/o/n": { body: JSON.stringify({ default_branch: "trunk" }) },
		"/api/v1/repos/o/n/archive/trunk.tar.gz": { status: 302, headers: { location: `${other.origin}/file` } },
	});
	const source = addSource({ url: `${host.origin}/o/n`, host: "gitea" }, { credential: "s3cret" });
	expect((await source.scan()).error).toBeUndefined();
	expect(source.keys()).toEqual(["a.md"]);
	expect(host.requests).toEqual([
		"/api/v1/repos/o/n token s3cret",
		"/api/v1/repos/o/n/archive/trunk.tar.gz token s3cret",
	]);
	expect(other.requests).toEqual(["/file"]);
});

it.each([
	[404, "repository_not_found"],
	[401, "access_denied"],
	[403, "access_denied"],
	[500, "bad_status"],
])("explains status %i as %s", async (status, code) => {
	const host = await startHost({ "/o/n/get/HEAD.tar.gz": { status } });
	expect((await addSource({ url: `${host.origin}/o/n`, host: "bitbucket" }).scan()).error).toBe(code);
});

it("says where a folder has no documents", async () => {
	const host = await startHost({ "/x": { body: createRepository({ "a.md": "a" })("tar.gz") } });
	const source = addSource({ url: `${host.origin}/o/n`, archive_url: `${host.origin}/x`, path: "docs" });
	expect((await source.scan()).error).toBe("path_not_found");
});

const toStream = (bytes: Uint8Array): ReadableStream<Uint8Array> =>
	new Blob([bytes as Uint8Array<ArrayBuffer>]).stream();

async function listPaths(
	bytes: Uint8Array,
	limits: Partial<typeof ARCHIVE_LIMITS> = {},
): Promise<readonly string[]> {
	const paths: string[] = [];
	for await (const file of readArchive(toStream(bytes), { ...ARCHIVE_LIMITS, ...limits })) {
		paths.push(file.path);
		await file.read(1_000_000);
	}
	return paths;
}

const toEntry = (name: string, body = "x", header: Partial<TarEntry["header"]> = {}): TarEntry => ({
	header: { name, size: Buffer.byteLength(body), type: "file", ...header },
	...(header.type === undefined && { body }),
});

describe("a hostile archive", () => {
	it("has no links, devices, and paths that climb", async () => {
		const tar = await packTar([
			toEntry("r/a.md"),
			toEntry("../b.md"),
			toEntry("r/../../c.md"),
			toEntry("/d.md"),
			toEntry("./e.md"),
			toEntry("r\\f.md"),
			toEntry("r/link.md", "", { type: "symlink", linkname: "/etc/passwd", size: 0 }),
			toEntry("r/hard.md", "", { type: "link", linkname: "r/a.md", size: 0 }),
			toEntry("r/pipe.md", "", { type: "fifo", size: 0 }),
		]);
		expect(await listPaths(tar)).toEqual(["r/a.md", "d.md", "e.md"]);
	});

	it.each([
		["entries", { maxEntries: 5 }],
		["bytes", { maxArchiveBytes: 100 }],
		["unpacked bytes", { maxUnpackedBytes: 4_000 }],
	])("with too many %s is refused", async (_, limits) => {
		const tar = await packTar(
			Array.from({ length: 10 }, (_entry, index) => toEntry(`r/${index}.md`, `${Math.random()}`)),
		);
		await expect(listPaths(gzipSync(tar), limits)).rejects.toMatchObject({ code: "archive_too_large" });
	});

	it("that grows without end is refused", async () => {
		const bomb = gzipSync(Buffer.alloc(70 * 1024 * 1024), { level: 1 });
		expect(bomb.length).toBeLessThan(350_000);
		await expect(listPaths(bomb)).rejects.toMatchObject({ code: "archive_too_large" });
	});

	it("ends with a code or its files, however it is damaged", async () => {
		const tar = Buffer.from(
			await packTar([
				toEntry("r/a.md", "a".repeat(700)),
				toEntry(`r/${"b".repeat(200)}.md`),
				toEntry("r/c.md"),
			]),
		);
		const zip = createRepository({ "a.md": "a", "b.md": "b" })("zip");
		const damages = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 });
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom(tar, gzipSync(tar), zip),
				damages,
				fc.nat(),
				async (original, changes, cut) => {
					const bytes = Buffer.from(
						original.subarray(0, cut % 3 === 0 ? cut % original.length : original.length),
					);
					for (const [at, value] of changes) if (bytes.length > 0) bytes[at % bytes.length] = value;
					const result = await listPaths(bytes, { maxUnpackedBytes: 10_000_000 }).catch(
						(error: { code?: string }) => error.code,
					);
					expect(
						["archive_damaged", "archive_too_large", "timeout"].includes(String(result)) ||
							Array.isArray(result),
					).toBe(true);
				},
			),
			{ numRuns: 400 },
		);
	});
});

describe("an archive with an entity tag", () => {
	/** Host that sends an archive only to who does not have it, and counts the bytes. */
	async function startTaggedHost(files: Readonly<Record<string, string>>) {
		const host = { files, bytes: 0, requests: 0 };
		const { origin, close } = await startServer(0, async ({ headers }, response) => {
			host.requests += 1;
			const entries = Object.entries(host.files).map(([path, body]) => ({
				...{ header: { name: `name-1/${path}`, size: body.length, type: "file" as const }, body },
			}));
			const etag = `"${await hashBlob(Buffer.from(JSON.stringify(host.files)))}"`;
			if (headers["if-none-match"] === etag) return void response.writeHead(304, { etag }).end();
			const archive = gzipSync(await packTar(entries));
			host.bytes += archive.length;
			response.writeHead(200, { etag }).end(archive);
		});
		endings.push(close);
		return Object.assign(host, { url: `${origin}/o/n`, host: "github" as const, ref: "main" });
	}

	const add = ({ url, host, ref }: Settings, options?: TestSourceOptions) =>
		addSource({ url, ...(host && { host }), ...(ref !== undefined && { ref }) }, options);

	it("is not downloaded again until it has changed", async () => {
		const host = await startTaggedHost({ "a.md": "a", "main.ts": "code" });
		const source = add(host);
		expect((await source.scan()).items).toEqual(["content a.md"]);
		const { bytes } = host;
		for (const _ of [1, 2]) expect((await source.scan()).items).toEqual(["all unchanged"]);
		expect([host.bytes, host.requests]).toEqual([bytes, 3]);
		host.files = { "a.md": "a", "b.md": "b" };
		expect((await source.scan()).items).toEqual(["unchanged a.md", "content b.md"]);
		expect(host.bytes).toBeGreaterThan(bytes);
	});

	it("is downloaded where more or other files would be read of it", async () => {
		const host = await startTaggedHost({ "a.md": "a", "b.html": "b", "plan.dwg": "d" });
		const source = add(host);
		await source.scan();
		expect((await source.scan({ include: ["*.html"] })).items).toEqual(["unchanged b.html"]);
		await source.scan();
		Object.assign(source.context, { isDocument: (name: string) => /\.(?:md|html|dwg)$/.test(name) });
		expect((await source.scan()).items).toContain("content plan.dwg");
		Object.assign(source.context.limits, { maxItemBytes: 100 });
		expect((await source.scan()).items).toContain("unchanged plan.dwg");
		expect((await source.scan()).items).toEqual(["all unchanged"]);
	});

	it("is downloaded again where an item was skipped", async () => {
		const host = await startTaggedHost({ "a.md": "a", "large.md": "x".repeat(200) });
		const source = add(host, { limits: { maxItemBytes: 100 } });
		for (const _ of [1, 2]) expect((await source.scan()).items).toContain("skipped large.md too_large");
	});
});
