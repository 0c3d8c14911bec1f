/** Rules of a robots.txt file for one crawler (RFC 9309), with `Crawl-delay` and `Sitemap`, which it leaves open. */
export interface Robots {
	/** @param target - path with query, as in the request. */
	isAllowed(target: string): boolean;
	/** Pause between two requests that the site asks for, in milliseconds. */
	readonly crawlDelayMs: number;
	/** Addresses of sitemaps, as they are written. */
	readonly sitemaps: readonly string[];
}

/** Product token by which robots.txt names the crawler. */
export const ROBOTS_TOKEN = "StemmaBot";
/** Size of a robots.txt file that has to be read (RFC 9309, section 2.5). What follows is ignored. */
export const MAX_ROBOTS_BYTES = 500 * 1024;
/** Longest pause that a site may ask for with `Crawl-delay`. */
const MAX_CRAWL_DELAY_MS = 30_000;

interface Rule {
	readonly isAllowed: boolean;
	readonly path: string;
}

interface Group {
	readonly agents: string[];
	readonly rules: Rule[];
	delayMs?: number;
}

/** Reads a robots.txt file; lines that are none of its records are ignored. */
export function parseRobots(text: string, token: string = ROBOTS_TOKEN): Robots {
	const { groups, sitemaps } = readGroups(text);
	const name = token.toLowerCase();
	const own = groups.filter(({ agents }) => agents.includes(name));
	const chosen = own.length > 0 ? own : groups.filter(({ agents }) => agents.includes("*"));
	// The longest path decides; of two of one length the one that allows.
	const rules = chosen
		.flatMap((group) => group.rules)
		.sort((a, b) => b.path.length - a.path.length || Number(b.isAllowed) - Number(a.isAllowed));
	return {
		isAllowed: (target) => {
			const path = normalizeTarget(target);
			return (
				path === "/robots.txt" || (rules.find((rule) => matchesRule(rule.path, path))?.isAllowed ?? true)
			);
		},
		crawlDelayMs: Math.max(0, ...chosen.map(({ delayMs = 0 }) => delayMs)),
		sitemaps,
	};
}

const RECORD = /^\s*([a-z-]+)\s*:\s*([^#]*)/iu;

function readGroups(text: string): { readonly groups: Group[]; readonly sitemaps: string[] } {
	const groups: Group[] = [];
	const sitemaps: string[] = [];
	let hasRules = true;
	for (const line of text.replace(/^\uFEFF/u, "").split(/\r\n?|\n/u)) {
		const [, key = "", rest = ""] = RECORD.exec(line) ?? [];
		const value = rest.trim();
		const name = key.toLowerCase();
		if (name === "sitemap") sitemaps.push(value);
		else if (name === "user-agent") {
			if (hasRules) groups.push({ agents: [], rules: [] });
			hasRules = false;
			groups.at(-1)?.agents.push(toToken(value));
		} else if (isGroupRecord(name)) {
			hasRules = true;
			addRecord(groups.at(-1), name, value);
		}
	}
	return { groups, sitemaps };
}

const isGroupRecord = (name: string): boolean => /^(?:allow|disallow|crawl-delay)$/u.test(name);

/** Token of a `User-agent` line without its version. */
const toToken = (value: string): string => (/^(?:\*|[a-z_-]+)/iu.exec(value)?.[0] ?? "").toLowerCase();

function addRecord(group: Group | undefined, name: string, value: string): void {
	if (group === undefined) return;
	if (name === "crawl-delay") {
		const delayMs = Number(value) * 1000;
		if (delayMs > 0) group.delayMs = Math.min(delayMs, MAX_CRAWL_DELAY_MS);
	} else if (value !== "") group.rules.push({ isAllowed: name === "allow", path: normalizeTarget(value) });
}

/** Path whose characters are encoded where they have to be, and nowhere else (RFC 9309, section 2.2.2). */
function normalizeTarget(text: string): string {
	return text
		.replace(/[^\x21-\x7e]+/gu, (part) => encodeURIComponent(part.toWellFormed()))
		.replace(/%[\da-f]{2}/giu, (code) => {
			const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
			return /[\w.~-]/u.test(character) ? character : code.toUpperCase();
		});
}

/** The path of a rule is a prefix; `*` in it stands for anything, `$` at its end for the end. */
function matchesRule(rule: string, path: string): boolean {
	const isWhole = rule.endsWith("$");
	const parts = (isWhole ? rule.slice(0, -1) : rule).split("*");
	const last = parts.pop() ?? "";
	if (parts.length === 0) return isWhole ? path === last : path.startsWith(last);
	let from = 0;
	for (const [index, part] of parts.entries()) {
		const at = path.indexOf(part, from);
		if (at < 0 || (index === 0 && at > 0)) return false;
		from = at + part.length;
	}
	return isWhole ? path.length - last.length >= from && path.endsWith(last) : path.indexOf(last, from) >= 0;
}
