import { useSyncExternalStore } from "react";

/** Page of the app with what it shows. Pages are in the fragment, which is sent to no server. */
export type Route =
	| { readonly page: "ask"; readonly threadId: string | undefined }
	| { readonly page: "knowledge"; readonly knowledgeBaseId: string | undefined }
	| { readonly page: "models" }
	| { readonly page: "members" }
	| { readonly page: "usage" }
	| { readonly page: "settings"; readonly section: string | undefined }
	| { readonly page: "unknown" };

/** Parses a fragment, such as `#/ask/thr_1`. */
export function parseRoute(fragment: string): Route {
	const [page = "", id, ...others] = fragment.replace(/^#?\/?/, "").split("/");
	const isPlain = id === undefined && others.length === 0;
	if (page === "" && isPlain) return { page: "ask", threadId: undefined };
	if (page === "ask" && others.length === 0) return { page, threadId: decode(id) };
	if (page === "knowledge" && others.length === 0) return { page, knowledgeBaseId: decode(id) };
	if (page === "settings" && others.length === 0) return { page, section: decode(id) };
	if ((page === "models" || page === "members" || page === "usage") && isPlain) return { page };
	return { page: "unknown" };
}

/** Fragment of a route: the address of a link. */
export function toHref(page: Exclude<Route["page"], "unknown">, id?: string): string {
	return id === undefined ? `#/${page}` : `#/${page}/${encodeURIComponent(id)}`;
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
