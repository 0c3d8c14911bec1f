import { isJsonObject } from "@stemma/core/internal";
import type { StemmaClient } from "../client";
import { ConnectionError } from "../errors/errors";
import { parseJson } from "../errors/read-api-error";
import type { CallOptions } from "../options/call-options";
import { createInvalidResponseError } from "./a2a-error";
import { type AgentEndpoint, readBody } from "./agent-calls";
import type { A2aAgentCard } from "./wire";

interface CachedCard {
	card: A2aAgentCard;
	readonly etag: string;
	/** Epoch milliseconds. */
	readonly freshUntil: number;
}

/** Cache of an agent's card, shared by calls and revalidated by its ETag. */
export interface CardCache {
	get(options?: CallOptions): Promise<A2aAgentCard>;
	/** An extended card takes the place of the public one, until that changes (A2A 1.0.1, section 3.1.11). */
	replace(card: A2aAgentCard): void;
}

/** Lifetime of cards that give none, in seconds. */
const DEFAULT_CACHE_SECONDS = 300;
/** No card is asked for more often than each second, and none is used for ever, whatever the answer says. */
const MIN_CACHE_SECONDS = 1;
const MAX_CACHE_SECONDS = 86_400;

/**
 * An agent's card: fetched when first needed, shared by all calls, and asked for anew (RFC 9111: by its `ETag`) once its
 * `max-age` is over. Calls that need it at the same time wait for the same answer; a failure is not kept.
 */
export function createCardCache(
	client: StemmaClient,
	path: string,
	{ headers, maxSize }: Pick<AgentEndpoint, "headers" | "maxSize">,
): CardCache {
	let cached: CachedCard | undefined;
	let inFlight: Promise<CachedCard> | undefined;

	async function fetchCard(etag: string): Promise<CachedCard> {
		const response = await client.open({
			method: "GET",
			path,
			headers: { ...headers, "if-none-match": etag || undefined },
			acceptStatus: (status) => etag !== "" && status === 304,
		});
		const text = await readBody(response, maxSize);
		const freshUntil = Date.now() + readMaxAge(response.header("cache-control")) * 1000;
		if (cached && response.status === 304) return { ...cached, freshUntil };
		return { card: readCard(parseJson(text), response.requestId), etag: response.header("etag"), freshUntil };
	}

	async function refresh(etag = cached?.etag ?? ""): Promise<CachedCard> {
		try {
			return await fetchCard(etag);
		} catch (error) {
			// A page may be forbidden to ask by `ETag`.
			if (etag && ConnectionError.is(error)) return fetchCard("");
			throw error;
		}
	}

	return {
		/** No caller's signal reaches this: the others who wait for it still want it. */
		async get() {
			if (cached && Date.now() < cached.freshUntil) return cached.card;
			inFlight ??= refresh().finally(() => {
				inFlight = undefined;
			});
			cached = await inFlight;
			return cached.card;
		},
		replace(card) {
			if (cached) cached.card = card;
		},
	};
}

function readMaxAge(cacheControl: string): number {
	const seconds = /\bno-(cache|store)\b/i.test(cacheControl)
		? 0
		: Number(/\bmax-age="?(\d+)/i.exec(cacheControl)?.[1] ?? DEFAULT_CACHE_SECONDS);
	return Math.min(Math.max(seconds, MIN_CACHE_SECONDS), MAX_CACHE_SECONDS);
}

/**
 * A card, with what ProtoJSON may leave out. One of A2A 0.3 has no interfaces here, and is refused when they are chosen from.
 *
 * @throws A2aError `invalid_agent_response` for what is no card.
 */
export function readCard(value: unknown, requestId: string): A2aAgentCard {
	const { supportedInterfaces = [], name, ...card } = isJsonObject(value) ? value : {};
	if (!Array.isArray(supportedInterfaces) || typeof name !== "string")
		throw createInvalidResponseError("is not an agent card", requestId);
	const lists = { defaultInputModes: [], defaultOutputModes: [], skills: [] };
	const { capabilities } = card;
	return {
		description: "",
		version: "",
		...lists,
		...card,
		name,
		supportedInterfaces,
		capabilities: isJsonObject(capabilities) ? capabilities : {},
	};
}
