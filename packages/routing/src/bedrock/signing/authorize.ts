import type { Settings } from "../options";
import { hashText, sign } from "./sign";

/**
 * Makes the headers of a request, which show who asks. For one attempt: a signature is good for minutes.
 *
 * @param clockOffsetMs - how far the vendor's clock is ahead of this one.
 */
export type Authorizer = (
	url: string,
	body: string,
	headers: Headers,
	clockOffsetMs: number,
) => Promise<Headers>;

type Headers = Readonly<Record<string, string>>;

export function createAuthorizer({ secret, headers: extraHeaders, region = "" }: Settings): Authorizer {
	const cache = new Map<string, ArrayBuffer>();
	return async (url, body, defaultHeaders, clockOffsetMs) => {
		if (secret.apiKey !== undefined)
			return { ...defaultHeaders, authorization: `Bearer ${secret.apiKey}`, ...extraHeaders };
		const headers = { ...defaultHeaders, ...extraHeaders };
		const date = new Date(Date.now() + clockOffsetMs);
		const signable = { ...pickSignable(headers), "x-amz-content-sha256": await hashText(body) };
		const scope = { region, service: "bedrock", date, cache };
		return { ...headers, ...(await sign({ method: "POST", url, headers: signable, body }, secret, scope)) };
	};
}

/** Picks the headers that AWS wants signed. Proxies may change the others. */
const pickSignable = (headers: Headers): Headers =>
	Object.fromEntries(
		Object.entries(headers).filter(([name]) => name === "content-type" || name.startsWith("x-amz-")),
	);
