import { deflateRawSync, inflateRawSync } from "node:zlib";

/** Knowledge of a page that is kept between two scans, in the version of its item. */
export interface PageVersion {
	readonly etag: string | null;
	readonly lastModified: string | null;
	/** SHA-256 of the content. */
	readonly hash: string;
	/** `lastmod` of the sitemap. */
	readonly sitemapDate: string | null;
	/** Time of the request, in epoch milliseconds. */
	readonly fetchedAt: number;
	/** Addresses that it links to on its own host; `null` where they are too many to be kept. */
	readonly links: readonly string[] | null;
}

/** Maximum size of the kept links of a page, compressed. Pages with more of them are requested each time. */
const MAX_LINKS_CHARACTERS = 12_000;
const MAX_LINKS_BYTES = 4 * 1024 * 1024;

export function writeVersion({ links, ...version }: PageVersion): string {
	const packed = links === null ? null : deflateRawSync(links.join("\n")).toString("base64");
	const kept = packed !== null && packed.length <= MAX_LINKS_CHARACTERS ? packed : null;
	return JSON.stringify({ ...version, links: kept });
}

/** @returns `undefined` for what was not written by {@link writeVersion}. */
export function readVersion(text: string | null | undefined): PageVersion | undefined {
	try {
		const { etag, lastModified, hash, sitemapDate, fetchedAt, links } = JSON.parse(text ?? "");
		if (typeof hash !== "string" || typeof fetchedAt !== "number") return undefined;
		return {
			etag: asText(etag),
			lastModified: asText(lastModified),
			hash,
			sitemapDate: asText(sitemapDate),
			fetchedAt,
			links: typeof links === "string" ? unpackLinks(links) : null,
		};
	} catch {
		return undefined;
	}
}

const asText = (value: unknown): string | null => (typeof value === "string" ? value : null);

function unpackLinks(packed: string): readonly string[] {
	const options = { maxOutputLength: MAX_LINKS_BYTES };
	const text = inflateRawSync(Buffer.from(packed, "base64"), options).toString();
	return text === "" ? [] : text.split("\n");
}

/** Hash of a page's content, beside the main thread. */
export async function hashPage(bytes: Uint8Array): Promise<string> {
	const digest = await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>);
	return Buffer.from(digest).toString("base64url");
}

const DAY_MS = 86_400_000;

/**
 * Checks whether a page needs no request: its date in the sitemap is that of the last time, and the page was requested
 * after the time that this date stands for, so that no later change can have the same date.
 */
export function isCurrent({ sitemapDate, fetchedAt }: PageVersion, date: string | null): boolean {
	if (date === null || sitemapDate !== date) return false;
	const time = Date.parse(date);
	const isDay = /^\d{4}-\d\d-\d\d$/u.test(date);
	// A date without a time may be of any zone.
	return (
		!Number.isNaN(time) && /\d{4}-\d\d-\d\d/u.test(date) && fetchedAt > time + (isDay ? 2 * DAY_MS : 60_000)
	);
}
