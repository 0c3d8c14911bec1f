import { readFileSync } from "node:fs";
import { SmartRouter } from "hono/router/smart-router";
import { vi } from "vitest";

/** All routes that an app takes on while `work` runs: `GET /v1/agents/:id`. Asks the router, so that none is missed. */
export async function recordRoutes(work: () => Promise<unknown>): Promise<readonly string[]> {
	const add = vi.spyOn(SmartRouter.prototype, "add");
	try {
		await work();
		return toSet(
			add.mock.calls.filter(([method]) => method !== "ALL").map(([method, path]) => `${method} ${path}`),
		);
	} finally {
		add.mockRestore();
	}
}

/** The routes in the table "Service" of docs/http-api.md. */
export function readDocumentedRoutes(): readonly string[] {
	const text = readFileSync(new URL("../../../../docs/http-api.md", import.meta.url), "utf8");
	const [, section = ""] = /\n## Service\n([\s\S]*?)\n\*\*/.exec(text) ?? [];
	let base = "";
	const routes: string[] = [];
	for (const [cell] of section.matchAll(/^\| (`.*?`) \|/gm))
		for (const [, methods = "GET", path = ""] of cell.matchAll(/`([A-Z]+(?:\/[A-Z]+)*)?(?: ?([^`]+))?`/g)) {
			const full = expandPath(path, base);
			if (path !== "" && !path.startsWith("…")) base = path;
			for (const method of methods.split("/")) routes.push(`${method} ${full}`);
		}
	return toSet(routes);
}

/**
 * `…/:id` goes on from the last path that was written out, and `…/documents` from one of its items. `/a2a/:id/…` is all that
 * is below.
 */
function expandPath(path: string, base: string): string {
	if (path === "") return base;
	if (base.startsWith("/.well-known/") && path.startsWith("…")) return `${base}${path.slice(1)}`;
	if (!path.startsWith("…")) return path;
	const rest = path.slice(1);
	return rest.startsWith("/:id") ? `${base}${rest}` : `${base}/:id${rest}`;
}

/** What a parameter is called is nobody's business. */
const toSet = (routes: readonly string[]): readonly string[] =>
	[
		...new Set(
			routes.map((route) =>
				route
					.replace(/(\/models\/:id)\{.*\}$/, "$1")
					.replace(/:\w+\{\.\+\}/g, "…")
					.replace(/:\w+/g, ":id"),
			),
		),
	].sort();
