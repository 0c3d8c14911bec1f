import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { type StartedServer, startServer } from "@stemma/simulators/start-server";
import { afterEach, describe, expect, it } from "vitest";
import { createTestSource, type TestSource, type TestSourceOptions } from "../test-support/test-source";
import { openSite } from "./open-site";
import type { SiteSettings } from "./settings";
import { siteConnector } from "./site-connector";

interface Page {
	readonly status?: number;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: string | Buffer;
	readonly answer?: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
}
type Pages = Record<string, Page | string | undefined>;

const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const end of endings.splice(0).reverse()) await end();
});

interface TestSite {
	readonly origin: string;
	readonly pages: Pages;
	/** `<path>`, with ` conditional` where it is. */
	readonly requests: string[];
}

/** A web site on a real port; pages have an entity tag of their content unless their headers say otherwise. */
async function startSite(pages: Pages): Promise<TestSite> {
	const requests: string[] = [];
	const server: StartedServer = await startServer(0, async (request, response) => {
		const { url = "", headers } = request;
		const isConditional =
			headers["if-none-match"] !== undefined || headers["if-modified-since"] !== undefined;
		requests.push(`${url}${isConditional ? " conditional" : ""}`);
		const found = pages[url];
		const page = typeof found === "string" ? { body: found } : found;
		if (page === undefined) return void response.writeHead(404).end("not found");
		if (page.answer !== undefined) return page.answer(request, response);
		const { status = 200, body = "", headers: own = {} } = page;
		const etag = `"${Buffer.from(body).toString("base64url").slice(0, 200)}"`;
		if (status === 200 && headers["if-none-match"] === etag)
			return void response.writeHead(304, { etag }).end();
		const type = /\.(?:xml|txt)/.test(url) ? "application/xml" : "text/html";
		response.writeHead(status, { "content-type": type, ...(status === 200 && { etag }), ...own }).end(body);
	});
	endings.push(() => server.close());
	return { origin: server.origin, pages, requests };
}

function addSource(settings: SiteSettings, options?: TestSourceOptions): TestSource<SiteSettings> {
	const source = createTestSource(siteConnector, { delay_ms: 0, ...settings }, options);
	endings.push(() => source.close());
	return source;
}

const linkTo = (...addresses: readonly string[]): string =>
	addresses.map((address) => `<a href="${address}">x</a>`).join("\n");
const paths = ({ origin }: TestSite, keys: readonly string[]): readonly string[] =>
	keys.map((key) => key.replace(origin, ""));

describe("a site by its links", () => {
	it("is read below the folder of its start, each page once", async () => {
		const site = await startSite({
			"/docs/": linkTo(
				"a",
				"b?y=2&x=1&utm_source=mail",
				"/docs/a#part",
				"/other",
				"mailto:a@b.c",
				"https://example.com/",
				"x.css",
			),
			"/docs/a": linkTo("./", "b?x=1&y=2", "deep/c.pdf"),
			"/docs/b?x=1&y=2": "b",
			"/docs/deep/c.pdf": { body: "%PDF-1.4", headers: { "content-type": "application/pdf" } },
			"/other": "other",
		});
		const source = addSource({ url: `${site.origin}/docs/#top` });
		const { error, found } = await source.scan();
		expect(error).toBeUndefined();
		expect(paths(site, source.keys())).toEqual(["/docs/", "/docs/a", "/docs/b?x=1&y=2", "/docs/deep/c.pdf"]);
		expect(found.at(-1)).toMatchObject({
			fileName: "c.pdf",
			mediaType: "application/pdf",
			url: `${site.origin}/docs/deep/c.pdf`,
		});
		expect(site.requests).not.toContain("/other");
	});

	it("asks only whether pages have changed, and still finds what is behind those that have not", async () => {
		const site = await startSite({
			"/": linkTo("/a"),
			"/a": linkTo("/b"),
			"/b": linkTo("/c"),
			"/c": "first",
		});
		const source = addSource({ url: `${site.origin}/` });
		await source.scan();
		site.requests.length = 0;
		expect((await source.scan()).items).toEqual(
			["/", "/a", "/b", "/c"].map((path) => `unchanged ${site.origin}${path}`),
		);
		expect(site.requests).toEqual([
			"/robots.txt",
			"/",
			"/ conditional",
			"/a conditional",
			"/b conditional",
			"/c conditional",
		]);
		site.pages["/c"] = "second";
		expect((await source.scan()).items.at(-1)).toBe(`content ${site.origin}/c`);
		expect(source.text(`${site.origin}/c`)).toBe("second");
	});

	it("knows unchanged pages by their content where the site has no tags", async () => {
		const headers = { etag: "" };
		const site = await startSite({ "/": { body: linkTo("/a"), headers }, "/a": { body: "a", headers } });
		const source = addSource({ url: `${site.origin}/` });
		await source.scan();
		expect((await source.scan()).items.map((item) => item.split(" ")[0])).toEqual(["unchanged", "unchanged"]);
	});

	it("drops pages that are gone, and keeps those that fail with what they link to", async () => {
		const site = await startSite({
			"/": linkTo("/a", "/b", "/d"),
			"/a": linkTo("/c"),
			"/b": "b",
			"/c": "c",
			"/d": "d",
		});
		const source = addSource({ url: `${site.origin}/` });
		await source.scan();
		site.pages["/a"] = { status: 500 };
		site.pages["/b"] = { status: 410 };
		delete site.pages["/d"];
		const { items, error } = await source.scan();
		expect(error).toBeUndefined();
		expect(items).toContain(`failed ${site.origin}/a server_error`);
		expect(paths(site, source.keys())).toEqual(["/", "/a", "/c"]);
	});

	it("deletes nothing where the start or robots.txt cannot be read", async () => {
		const site = await startSite({ "/": linkTo("/a"), "/a": "a" });
		const source = addSource({ url: `${site.origin}/` });
		await source.scan();
		site.pages["/"] = { status: 500 };
		expect((await source.scan()).error).toBe("start_unavailable");
		delete site.pages["/"];
		expect((await source.scan()).error).toBe("start_unavailable");
		site.pages["/robots.txt"] = { status: 500 };
		expect((await source.scan()).error).toBe("robots_unreachable");
		expect(paths(site, source.keys())).toEqual(["/", "/a"]);
	});

	it("gives up where one page after the other fails", async () => {
		const pages = Array.from({ length: 30 }, (_, index) => `/${index}`);
		const failing = Object.fromEntries(pages.map((path) => [path, { status: 500 }]));
		const site = await startSite({ "/": linkTo(...pages), ...failing });
		const source = addSource({ url: `${site.origin}/` });
		const { error, items } = await source.scan();
		expect([error, items.length]).toEqual(["site_unavailable", 10]);
	});

	it("takes only what the patterns say", async () => {
		const site = await startSite({
			"/": linkTo("/docs/a", "/docs/drafts/b", "/blog/c"),
			"/docs/a": "a",
			"/docs/drafts/b": "b",
			"/blog/c": "c",
		});
		const source = addSource({ url: `${site.origin}/`, include: ["/docs/**"], exclude: ["drafts"] });
		await source.scan();
		expect(paths(site, source.keys())).toEqual(["/", "/docs/a"]);
	});
});

describe("robots", () => {
	it("are obeyed: robots.txt, noindex, nofollow, the header", async () => {
		const site = await startSite({
			"/robots.txt": "User-agent: StemmaBot\nDisallow: /private\n",
			"/": `${linkTo("/private/a", "/noindex", "/nofollow", "/header")}<a rel="ugc nofollow" href="/unfollowed">x</a>`,
			"/private/a": "a",
			"/noindex": `<meta name=robots content="NoIndex">${linkTo("/behind")}`,
			"/nofollow": `<meta name=robots content=nofollow>${linkTo("/unfollowed")}`,
			"/header": { body: linkTo("/unfollowed"), headers: { "x-robots-tag": "otherbot: all, none" } },
			"/behind": "behind",
			"/unfollowed": "unfollowed",
		});
		const source = addSource({ url: `${site.origin}/` });
		const { items } = await source.scan();
		expect(paths(site, source.keys())).toEqual(["/", "/behind", "/nofollow"]);
		expect(items).toContain(`skipped ${site.origin}/private/a robots_disallowed`);
		expect(items).toContain(`skipped ${site.origin}/noindex noindex`);
		expect(items).toContain(`skipped ${site.origin}/header noindex`);
		expect(site.requests).not.toContain("/private/a");
	});

	it("may forbid the start", async () => {
		const site = await startSite({ "/robots.txt": "User-agent: *\nDisallow: /", "/": "start" });
		expect((await addSource({ url: `${site.origin}/` }).scan()).error).toBe("robots_disallowed");
		expect(site.requests).not.toContain("/a");
	});

	it("are read to 500 KiB", async () => {
		const filler = `# ${"x".repeat(1_000)}\n`.repeat(600);
		const site = await startSite({
			"/robots.txt": `User-agent: *\nDisallow: /a\n${filler}Disallow: /b\n`,
			"/": linkTo("/a", "/b"),
			"/a": "a",
			"/b": "b",
		});
		const source = addSource({ url: `${site.origin}/` });
		await source.scan();
		expect(paths(site, source.keys())).toEqual(["/", "/b"]);
	});

	it("may name sitemaps", async () => {
		const site = await startSite({ "/": "start", "/hidden": "hidden" });
		site.pages["/robots.txt"] = `Sitemap: ${site.origin}/map.xml\nSitemap: /gone.xml`;
		site.pages["/map.xml"] = `<urlset><url><loc>${site.origin}/hidden</loc></url></urlset>`;
		const source = addSource({ url: `${site.origin}/` });
		expect((await source.scan()).error).toBeUndefined();
		expect(paths(site, source.keys())).toEqual(["/", "/hidden"]);
	});
});

describe("a sitemap", () => {
	const toMap = (origin: string, entries: Readonly<Record<string, string>>): string =>
		`<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${Object.entries(
			entries,
		)
			.map(([path, date]) => `<url><loc>${origin}${path}</loc><lastmod>${date}</lastmod></url>`)
			.join("")}</urlset>`;

	it("is read with those that it lists, packed or not, and its pages alone", async () => {
		const site = await startSite({ "/a": linkTo("/not-listed"), "/b": "b", "/not-listed": "x" });
		site.pages["/sitemap.xml"] =
			`<sitemapindex><sitemap><loc>${site.origin}/1.xml.gz</loc></sitemap><sitemap><loc>/2.txt</loc></sitemap><sitemap><loc>/sitemap.xml</loc></sitemap></sitemapindex>`;
		site.pages["/1.xml.gz"] = { body: gzipSync(toMap(site.origin, { "/a": "2020-01-01" })) };
		site.pages["/2.txt"] = `${site.origin}/b\nhttps://example.com/outside\n`;
		const source = addSource({ url: `${site.origin}/sitemap.xml` });
		expect((await source.scan()).error).toBeUndefined();
		expect(paths(site, source.keys())).toEqual(["/a", "/b"]);
	});

	it("saves requests where its dates are old and the same", async () => {
		const site = await startSite({ "/a": "a", "/b": "b", "/c": "c" });
		const today = new Date().toISOString().slice(0, 10);
		site.pages["/sitemap.xml"] = toMap(site.origin, {
			"/a": "2020-01-01",
			"/b": "2020-01-01T10:00:00Z",
			"/c": today,
		});
		const source = addSource({ url: `${site.origin}/sitemap.xml` });
		await source.scan();
		site.requests.length = 0;
		await source.scan();
		expect(site.requests).toEqual(["/robots.txt", "/sitemap.xml", "/sitemap.xml", "/c conditional"]);
		site.pages["/sitemap.xml"] = toMap(site.origin, {
			"/a": "2020-02-01",
			"/b": "2020-01-01T10:00:00Z",
			"/c": today,
		});
		site.requests.length = 0;
		await source.scan();
		expect(site.requests.slice(3)).toEqual(["/a conditional", "/c conditional"]);
	});

	it.each([
		["no XML", "<urlset><url>", "sitemap_unreadable"],
		["entities", '<!DOCTYPE x [<!ENTITY a "aa">]><urlset></urlset>', "sitemap_unreadable"],
		["an error", undefined, "start_unavailable"],
	])("that is %s ends the scan", async (_, body, code) => {
		const site = await startSite({ "/sitemap.xml": body });
		const source = addSource({ url: `${site.origin}/sitemap.xml` });
		expect((await source.scan()).error).toBe(body === undefined ? "sitemap_unavailable" : code);
	});
});

describe("addresses that lead elsewhere", () => {
	it("count under their last address, once", async () => {
		const site = await startSite({
			"/": linkTo("/old", "/older", "/new", "/away", "/loop1"),
			"/old": { status: 301, headers: { location: "/new" } },
			"/older": { status: 302, headers: { location: "/old" } },
			"/new": "new",
			"/away": { status: 302, headers: { location: "http://127.0.0.2/" } },
			"/loop1": { status: 302, headers: { location: "/loop2" } },
			"/loop2": { status: 302, headers: { location: "/loop1" } },
		});
		const source = addSource({ url: `${site.origin}/` });
		const { items, error } = await source.scan();
		expect(error).toBeUndefined();
		expect(paths(site, source.keys())).toEqual(["/", "/new"]);
		expect(items).toContain(`skipped ${site.origin}/away redirected_outside`);
		expect(items).toContain(`skipped ${site.origin}/loop2 redirect_loop`);
		expect(site.requests.filter((path) => path.startsWith("/new"))).toEqual(["/new"]);
	});

	it("move the document of a page that moves", async () => {
		const site = await startSite({ "/": linkTo("/a"), "/a": "a" });
		const source = addSource({ url: `${site.origin}/` });
		await source.scan();
		site.pages["/a"] = { status: 301, headers: { location: "/b" } };
		site.pages["/b"] = "a";
		await source.scan();
		expect(paths(site, source.keys())).toEqual(["/", "/b"]);
	});

	it("are one page with their original, where that has content", async () => {
		const canonical = (address: string): string => `<link rel=canonical href="${address}">`;
		const site = await startSite({
			"/": linkTo("/a?print=1", "/b", "/gone-copy", "/other-host"),
			"/a?print=1": canonical("/a"),
			"/a": `${canonical("/a")}a`,
			"/b": canonical("/c"),
			"/c": canonical("/b"),
			"/gone-copy": canonical("/gone"),
			"/other-host": canonical("https://example.com/"),
		});
		const source = addSource({ url: `${site.origin}/` });
		expect((await source.scan()).error).toBeUndefined();
		expect(paths(site, source.keys())).toEqual(["/", "/a", "/c", "/gone-copy", "/other-host"]);
	});

	it("are followed from the start on the same site alone", async () => {
		const site = await startSite({
			"/start": { status: 302, headers: { location: "/docs/" } },
			"/docs/": linkTo("a", "/b"),
			"/docs/a": "a",
			"/b": "b",
			"/away": { status: 302, headers: { location: "http://127.0.0.2/docs" } },
			"/loop": { status: 302, headers: { location: "/loop" } },
		});
		const source = addSource({ url: `${site.origin}/start` });
		await source.scan();
		expect(paths(site, source.keys())).toEqual(["/docs/", "/docs/a"]);
		expect((await source.scan({ url: `${site.origin}/away` })).error).toBe("redirected_outside");
		expect((await source.scan({ url: `${site.origin}/loop` })).error).toBe("redirect_loop");
	});
});

describe("a site that is", () => {
	it("a trap ends", async () => {
		const site = await startSite({});
		site.pages["/"] = linkTo("/calendar/0", "/up/", `/${"long/".repeat(300)}`);
		for (let day = 0; day < 60; day += 1) site.pages[`/calendar/${day}`] = linkTo(`/calendar/${day + 1}`);
		for (let depth = 1; depth < 40; depth += 1) site.pages[`/${"up/".repeat(depth)}`] = linkTo("up/");
		const source = addSource({ url: `${site.origin}/`, max_depth: 15 });
		const { items, error } = await source.scan();
		expect([error, items.length]).toEqual([undefined, 19]);
		expect(paths(site, source.keys()).filter((path) => path.startsWith("/up/"))).toEqual([
			"/up/",
			"/up/up/",
			"/up/up/up/",
		]);
		expect((await source.scan({ max_pages: 5 })).items.at(-1)).toMatch(/^skipped .* too_many_pages$/);
		expect(source.keys().length).toBe(5);
	});

	it("of a gigabyte, or endless, is cut off", async () => {
		const piece = Buffer.alloc(64 * 1024, "x");
		const sendEndlessly =
			(headers: Readonly<Record<string, string>>) => async (_: IncomingMessage, response: ServerResponse) => {
				response.writeHead(200, { "content-type": "text/html", ...headers });
				const write = (): void => {
					while (!response.destroyed && response.write(piece));
					if (!response.destroyed) response.once("drain", write);
				};
				write();
			};
		const site = await startSite({
			"/": linkTo("/huge", "/endless", "/a"),
			"/huge": { answer: sendEndlessly({ "content-length": String(1024 ** 3) }) },
			"/endless": { answer: sendEndlessly({}) },
			"/a": "a",
		});
		const source = addSource({ url: `${site.origin}/` });
		const { items } = await source.scan();
		expect(items).toContain(`skipped ${site.origin}/huge too_large`);
		expect(items).toContain(`skipped ${site.origin}/endless too_large`);
		expect(paths(site, source.keys())).toEqual(["/", "/a"]);
	});

	it("busy is asked again when it says, and not for long", async () => {
		let refusals = 1;
		const site = await startSite({ "/": linkTo("/busy", "/closed") });
		site.pages["/busy"] = {
			answer: async (_, response) => {
				if (refusals-- > 0) response.writeHead(429, { "retry-after": "0" }).end();
				else response.writeHead(200, { "content-type": "text/html" }).end("busy");
			},
		};
		site.pages["/closed"] = { status: 503, headers: { "retry-after": "86400" } };
		const source = addSource({ url: `${site.origin}/` });
		const { items } = await source.scan();
		expect(items).toContain(`content ${site.origin}/busy`);
		expect(items).toContain(`failed ${site.origin}/closed server_error`);
	});

	it("private is refused by name, by address and by redirect", async () => {
		const site = await startSite({
			"/": "secret",
			"/robots.txt": { status: 302, headers: { location: "http://169.254.169.254/" } },
		});
		const refused = { allowLoopback: false, names: { "docs.example": [["127.0.0.1"]] } };
		const port = new URL(site.origin).port;
		for (const url of [`${site.origin}/`, `http://docs.example:${port}/`, `http://localhost:${port}/`])
			expect((await addSource({ url }, refused).scan()).error).toBe("blocked_address");
		expect(site.requests).toEqual([]);
		expect((await addSource({ url: `${site.origin}/` }).scan()).error).toBe("blocked_address");
		expect(site.requests).toEqual(["/robots.txt"]);
	});

	it("of other formats has them skipped", async () => {
		const site = await startSite({
			"/": linkTo("/a.bin", "/readme.md", "/plain.md"),
			"/a.bin": { body: "x", headers: { "content-type": "application/octet-stream" } },
			"/readme.md": "<p>HTML about a file",
			"/plain.md": { body: "# x", headers: { "content-type": "text/plain" } },
		});
		const { found } = await addSource({ url: `${site.origin}/` }).scan();
		expect(
			found.map((item) => ("fileName" in item ? item.fileName : "code" in item ? item.code : "")),
		).toEqual(["127.0.0.1.html", "unsupported_format", "readme.md.html", "plain.md"]);
	});
});

it("sends a secret to its own origin alone, and its name to all", async () => {
	const seen: (string | undefined)[] = [];
	const record = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		seen.push(request.headers.authorization, request.headers["user-agent"]);
		response.writeHead(200, { "content-type": "text/html" }).end("x");
	};
	const site = await startSite({ "/a": { answer: record } });
	await addSource({ url: `${site.origin}/a` }, { credential: "t0ken" }).scan();
	expect(seen[0]).toBe("Bearer t0ken");
	expect(seen[1]).toMatch(/StemmaBot\/1/);
});

it("makes a pause between requests: its own, or the site's where that is longer", async () => {
	const site = await startSite({ "/robots.txt": "User-agent: *\nCrawl-delay: 2.5", "/": "a" });
	const settings = { url: `${site.origin}/` };
	const { context } = addSource(settings);
	expect((await openSite({ ...settings, delay_ms: 0 }, context)).requests.delayMs).toBe(2_500);
	site.pages["/robots.txt"] = "";
	expect((await openSite({ ...settings, delay_ms: 3 }, context)).requests.delayMs).toBe(3);
	expect((await openSite(settings, context)).requests.delayMs).toBe(200);
});

it("ends when it is cancelled", async () => {
	const controller = new AbortController();
	const site = await startSite({
		"/": linkTo("/a"),
		"/a": { answer: async () => controller.abort(new Error("cancelled")) },
	});
	expect((await addSource({ url: `${site.origin}/` }, { signal: controller.signal }).scan()).message).toBe(
		"cancelled",
	);
});

it("goes on after a page that never ends, whose document stays", async () => {
	const site = await startSite({ "/": linkTo("/slow", "/b"), "/slow": "Quick at first.", "/b": "B" });
	const source = addSource({ url: `${site.origin}/` });
	expect((await source.scan()).error).toBeUndefined();
	// The other pages have not changed, and no content that could take as long.
	Object.assign(source.context.limits, { maxItemMs: 500 });
	site.pages["/slow"] = {
		answer: async (_, response) => {
			response.writeHead(200, { "content-type": "text/html" }).write("It goes on");
		},
	};
	const { items, error } = await source.scan();
	expect([error, items]).toEqual([
		undefined,
		expect.arrayContaining([`failed ${site.origin}/slow timeout`, `unchanged ${site.origin}/b`]),
	]);
	expect(source.keys()).toContain(`${site.origin}/slow`);
});
