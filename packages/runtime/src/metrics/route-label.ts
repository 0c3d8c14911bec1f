const ROUTES: readonly (readonly [pattern: RegExp, route: string])[] = [
	[/^\/run\/[^/]+\/?$/, "/run/:agentId"],
	[/^\/runs\/[^/]+\/events\/?$/, "/runs/:id/events"],
	[/^\/runs\/[^/]+\/cancel\/?$/, "/runs/:id/cancel"],
	[/^\/runs\/[^/]+\/approvals\/[^/]+\/?$/, "/runs/:id/approvals/:approval_id"],
	[/^\/a2a\/[^/]+/, "/a2a/:agentId"],
];
const PLAIN = new Set(["/healthz", "/agents", "/metrics"]);

/** The route that a path is of, as its pattern: paths are anyone's, and there is no end of them. */
export function toRouteLabel(path: string): string {
	if (PLAIN.has(path)) return path;
	return ROUTES.find(([pattern]) => pattern.test(path))?.[1] ?? "other";
}

/** The path of an absolute URL. It is not parsed whole: this is done for every request. */
export function pathOf(url: string): string {
	const start = url.indexOf("/", url.indexOf("//") + 2);
	const end = url.indexOf("?", start);
	return start < 0 ? "/" : url.slice(start, end < 0 ? undefined : end);
}
