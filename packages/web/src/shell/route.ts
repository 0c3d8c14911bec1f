import { useSyncExternalStore } from "react";

/** Page of the app with what it shows. Pages are in the fragment, which is sent to no server. */
export type Route =
	| { readonly page: "ask"; readonly threadId: string | undefined }
	| { readonly page: "knowledge"; readonly knowledgeBaseId: string | undefined }
	| {
			readonly page: "agents";
			readonly agentId: string | undefined;
			readonly runId: string | undefined;
			/** Numbers of the versions that are compared, at most two; left out where the agent itself is shown. */
			readonly versions?: readonly number[];
	  }
	| { readonly page: "runs"; readonly runId: string | undefined }
	| { readonly page: "models" }
	| { readonly page: "members" }
	| { readonly page: "account" }
	| { readonly page: "apps" }
	/** Request of an app, with its parameters. */
	| { readonly page: "authorize"; readonly query: string }
	| { readonly page: "usage" }
	| { readonly page: "workspaces" }
	| { readonly page: "settings"; readonly section: string | undefined }
	| { readonly page: "unknown" };

/** Pages without anything behind their name. */
const PLAIN_PAGES = ["models", "members", "account", "apps", "usage", "workspaces"] as const;

/** Parses a fragment, such as `#/ask/thr_1`. */
export function parseRoute(fragment: string): Route {
	const [, query] = /^#?\/authorize\?(.*)$/.exec(fragment) ?? [];
	if (query !== undefined) return { page: "authorize", query };
	const [page = "", id, ...others] = fragment.replace(/^#?\/?/, "").split("/");
	const isPlain = id === undefined && others.length === 0;
	if (page === "" && isPlain) return { page: "ask", threadId: undefined };
	if (page === "ask" && others.length === 0) return { page, threadId: decode(id) };
	if (page === "knowledge" && others.length === 0) return { page, knowledgeBaseId: decode(id) };
	if (page === "settings" && others.length === 0) return { page, section: decode(id) };
	if (page === "runs" && others.length === 0) return { page, runId: decode(id) };
	if (page === "agents" && others[0] === "versions") {
		const versions = others.slice(1).map(Number);
		const isKnown = id !== "" && versions.length <= 2 && versions.every((number) => number > 0);
		return isKnown ? { page, agentId: decode(id), runId: undefined, versions } : { page: "unknown" };
	}
	if (page === "agents" && others.length < 2)
		return { page, agentId: decode(id), runId: id === "" ? undefined : decode(others[0]) };
	const plain = PLAIN_PAGES.find((one) => one === page);
	return plain === undefined || !isPlain ? { page: "unknown" } : { page: plain };
}

/** Fragment of a route: the address of a link. */
export function toHref(
	page: Exclude<Route["page"], "unknown">,
	...ids: readonly (string | undefined)[]
): string {
	return ["#", page, ...ids.filter((id) => id !== undefined).map(encodeURIComponent)].join("/");
}

export const navigate = (href: string): void => {
	globalThis.location.hash = href;
};

/** Route that is shown. */
export function useRoute(): Route {
	const fragment = useSyncExternalStore(subscribe, () => globalThis.location.hash);
	return parseRoute(fragment);
}

function subscribe(listener: () => void): () => void {
	globalThis.addEventListener("hashchange", listener);
	return () => globalThis.removeEventListener("hashchange", listener);
}

function decode(id: string | undefined): string | undefined {
	try {
		return id === undefined || id === "" ? undefined : decodeURIComponent(id);
	} catch {
		return undefined;
	}
}
