import type { A2aAgentCard } from "@stemma/client/a2a";

/** Time that a cache may keep a card: callers see a change after this time at the latest. */
const MAX_AGE_SECONDS = 60;

/** Converts a card to an HTTP response (A2A 1.0.1, section 8.6): 304 if the caller already has it. */
export function toCardResponse({ headers }: Request, card: A2aAgentCard): Response {
	const body = JSON.stringify(card);
	const etag = `"${toFingerprint(body)}"`;
	// Its address may be what the caller itself has called the host: not for caches that others share.
	const caching = { etag, "cache-control": `private, max-age=${MAX_AGE_SECONDS}` };
	if (matchesEtag(headers.get("if-none-match"), etag))
		return new Response(null, { status: 304, headers: caching });
	return new Response(body, { headers: { "content-type": "application/json", ...caching } });
}

/** Weak and strong tags are the same here (RFC 9110, section 13.1.2). */
const matchesEtag = (condition: string | null, etag: string): boolean =>
	(condition ?? "").split(",").some((tag) => ["*", etag, `W/${etag}`].includes(tag.trim()));

/** Tells versions of a card apart; nothing rests on its being hard to forge. FNV-1a, 64 bits. */
function toFingerprint(text: string): string {
	let hash = 0xcbf29ce484222325n;
	for (const byte of new TextEncoder().encode(text))
		hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
	return hash.toString(16).padStart(16, "0");
}
