import { rejectOption } from "./call-options";

/** Base URL of an endpoint, checked and trimmed. */
export interface BaseUrl {
	/** Base URL, without a slash at its end. */
	readonly baseUrl: string;
	/** Host, with the port where it is not the default one. */
	readonly host: string;
}

export interface BaseUrlFormat {
	/** Sentence that shows how to write a base URL. */
	readonly example: string;
	/** Path that people often paste after the base URL; it is cut off. */
	readonly suffix: RegExp;
}

/**
 * The base URL of an endpoint.
 *
 * @throws ConfigurationError, which does not repeat the URL: there may be a secret in it.
 */
export function parseBaseUrl(text: string, { example, suffix }: BaseUrlFormat): BaseUrl {
	const url = parseUrl(text);
	if (url === undefined || !/^https?:$/.test(url.protocol))
		rejectOption("baseUrl", "a URL with http or https", { hint: example });
	if (url.username + url.password + url.search + url.hash !== "")
		rejectOption("baseUrl", "without user info, query and fragment", {
			code: "base_url_not_plain",
			hint: `${example} A key goes into {apiKey}, other credentials into {headers}.`,
		});
	const path = trimSlashes(trimSlashes(url.pathname).replace(suffix, ""));
	return { baseUrl: url.origin + path, host: url.host };
}

function parseUrl(text: string): URL | undefined {
	try {
		return new URL(text);
	} catch {
		return undefined;
	}
}

function trimSlashes(path: string): string {
	let end = path.length;
	while (path[end - 1] === "/") end -= 1;
	return path.slice(0, end);
}
