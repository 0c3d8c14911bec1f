import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { readXml } from "../read-xml";

/** Address that a sitemap lists. */
export interface SitemapEntry {
	readonly address: string;
	/** Date of the last change, as it is written; `null` where there is none. */
	readonly lastModified: string | null;
}

/** Sitemap by the protocol of sitemaps.org. */
export interface Sitemap {
	/** `index`: the addresses are those of further sitemaps. */
	readonly kind: "index" | "pages";
	readonly entries: readonly SitemapEntry[];
}

/** Size and number of addresses of one sitemap that the protocol allows. */
export const MAX_SITEMAP_BYTES = 50 * 1024 * 1024;
const MAX_SITEMAP_ENTRIES = 50_000;

/** @returns `undefined` for what is no sitemap: a page. @throws where it is damaged, or unpacks to more than is allowed. */
export async function readSitemap(packed: Uint8Array): Promise<Sitemap | undefined> {
	const isPacked = packed[0] === 0x1f && packed[1] === 0x8b;
	const bytes = isPacked ? await promisify(gunzip)(packed, { maxOutputLength: MAX_SITEMAP_BYTES }) : packed;
	const start = Buffer.from(bytes.subarray(0, 4096)).toString("latin1").replaceAll("\0", "");
	if (/<(?:\w+:)?(?:urlset|sitemapindex)[\s>]/iu.test(start)) return readXmlSitemap(bytes);
	return /^(?:\xEF\xBB\xBF)?\s*https?:\/\/\S+\s*(?:\n|$)/iu.test(start) ? readTextSitemap(bytes) : undefined;
}

function readTextSitemap(bytes: Uint8Array): Sitemap {
	const lines = new TextDecoder().decode(bytes).split(/\r?\n/u).slice(0, MAX_SITEMAP_ENTRIES);
	const addresses = lines.map((line) => line.trim()).filter(Boolean);
	return { kind: "pages", entries: addresses.map((address) => ({ address, lastModified: null })) };
}

async function readXmlSitemap(bytes: Uint8Array): Promise<Sitemap> {
	const entries: SitemapEntry[] = [];
	let kind: Sitemap["kind"] = "pages";
	let entry = { loc: "", lastmod: "" };
	let open: "loc" | "lastmod" | undefined;
	await readXml(bytes, {
		open({ name }) {
			open = name === "loc" || name === "lastmod" ? name : undefined;
			if (name === "sitemapindex") kind = "index";
			if (name === "url" || name === "sitemap") entry = { loc: "", lastmod: "" };
		},
		text(text) {
			if (open !== undefined) entry[open] += text;
		},
		close(name) {
			open = undefined;
			if ((name !== "url" && name !== "sitemap") || entries.length >= MAX_SITEMAP_ENTRIES) return;
			const { loc, lastmod } = entry;
			if (loc.trim() !== "")
				entries.push({ address: loc.trim(), lastModified: lastmod.trim() === "" ? null : lastmod.trim() });
		},
	});
	return { kind, entries };
}
