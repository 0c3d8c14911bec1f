import { sleep } from "@stemma/core/internal";
import type { ScanContext, SourceRequest, SourceResponse } from "../connector";
import { ROBOTS_TOKEN } from "./robots";

/** Requests of one scan: one at a time, with a pause between two of them. */
export interface SiteRequests {
	/** Pause between two requests, in milliseconds. */
	delayMs: number;
	/** @throws SourceError as {@link ScanContext.fetch} does. */
	get(url: URL, request?: SourceRequest): Promise<SourceResponse>;
}

const HEADERS = {
	"user-agent": `Mozilla/5.0 (compatible; ${ROBOTS_TOKEN}/1.0)`,
	accept: "text/html,application/xhtml+xml,application/pdf;q=0.9,*/*;q=0.5",
};

/** @param credential - sent as `authorization` to the origin of `start`, and nowhere else. */
export function createSiteRequests(
	{ fetch, signal }: ScanContext,
	start: URL,
	credential: string | undefined,
	delayMs: number,
): SiteRequests {
	let isFirst = true;
	return {
		delayMs,
		async get(url, { headers, ...request } = {}) {
			if (!isFirst) await sleep(this.delayMs, signal);
			isFirst = false;
			signal.throwIfAborted();
			const authorization =
				url.origin === start.origin && credential ? { authorization: toHeader(credential) } : {};
			return fetch(url.href, { ...request, headers: { ...HEADERS, ...authorization, ...headers } });
		},
	};
}

/** A token alone is a bearer token; with a scheme before it, it is the header. */
const toHeader = (credential: string): string =>
	credential.includes(" ") ? credential : `Bearer ${credential}`;
