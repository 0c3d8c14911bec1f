/** A route as it is told to people, counted, and answered. */
export type RouteName =
	| "/healthz"
	| "/readyz"
	| "/agents"
	| "/metrics"
	| "/openapi.json"
	| "/run/:agentId"
	| "/run/:agentId/ag-ui"
	| "/run/:agentId/ui"
	| "/run/:agentId/ui/:chat/stream"
	| "/runs/:id/events"
	| "/runs/:id/cancel"
	| "/runs/:id/approvals/:approval_id"
	| "/a2a/:agentId"
	| "other";

/** Match of a path with a route. */
export interface RouteMatch {
	readonly name: RouteName;
	/** The first name that stands in the path, decoded; empty without one. */
	readonly id: string;
	/** The second: of an approval, or of a chat. */
	readonly secondId: string;
}

/** Methods that only read. */
export const READ_METHODS = "GET, HEAD";

/** Methods of each route, in the form of the `allow` header; undefined for routes that check the method themselves. */
export const ALLOWED_METHODS: Readonly<Partial<Record<RouteName, string>>> = {
	"/healthz": READ_METHODS,
	"/readyz": READ_METHODS,
	"/agents": READ_METHODS,
	"/metrics": READ_METHODS,
	"/openapi.json": READ_METHODS,
	"/run/:agentId": "POST",
	"/run/:agentId/ag-ui": "POST",
	"/run/:agentId/ui": "POST",
	"/run/:agentId/ui/:chat/stream": "GET",
	"/runs/:id/events": READ_METHODS,
	"/runs/:id/cancel": "POST",
	"/runs/:id/approvals/:approval_id": "POST",
};

/** The route of a path: its name is counted, as paths are anyone's, and there is no end of them. */
export function matchRoute(path: string): RouteMatch {
	const segments = path.split("/");
	const [, , id = "", , secondId = ""] = segments;
	return { name: toRouteName(path, segments), id: decode(id), secondId: decode(secondId) };
}

function toRouteName(
	path: string,
	{ length, 1: first, 2: id, 3: part, 4: secondId, 5: last }: readonly string[],
): RouteName {
	if (length === 2) return isPlain(path) ? path : "other";
	if (id === "") return "other";
	if (first === "a2a") return "/a2a/:agentId";
	if (first === "run" && length === 3) return "/run/:agentId";
	if (first === "run" && length === 4 && part === "ag-ui") return "/run/:agentId/ag-ui";
	if (first === "run" && part === "ui") {
		if (length === 4) return "/run/:agentId/ui";
		return length === 6 && secondId !== "" && last === "stream" ? "/run/:agentId/ui/:chat/stream" : "other";
	}
	if (first !== "runs") return "other";
	if (length === 4 && part === "events") return "/runs/:id/events";
	if (length === 4 && part === "cancel") return "/runs/:id/cancel";
	return length === 5 && part === "approvals" && secondId !== ""
		? "/runs/:id/approvals/:approval_id"
		: "other";
}

type PlainRoute = "/healthz" | "/readyz" | "/agents" | "/metrics" | "/openapi.json";

const PLAIN_ROUTES: ReadonlySet<string> = new Set<PlainRoute>([
	...(["/healthz", "/readyz", "/agents", "/metrics", "/openapi.json"] as const),
]);

const isPlain = (path: string): path is PlainRoute => PLAIN_ROUTES.has(path);

function decode(text: string): string {
	if (!text.includes("%")) return text;
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}
