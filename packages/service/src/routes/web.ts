import { DomainError } from "../errors/domain-error";
import { describeRoute } from "../http/describe-route";
import { respondWithPageFile } from "../http/respond-with-page-file";
import type { ServiceApp } from "../http/service-context";
import { STEMMA_VERSION } from "../stemma-version";
import { findBuiltPage, type PageFiles } from "../web-app/page-files";
import { wantsPage } from "../web-app/wants-page";

/**
 * Policy of the page: its own scripts, styles and requests alone. Images of `data:` and `blob:` are made by the page itself.
 */
const CONTENT_SECURITY_POLICY = [
	"default-src 'none'",
	"script-src 'self'",
	"style-src 'self'",
	"img-src 'self' data: blob:",
	"connect-src 'self'",
	"font-src 'self'",
	"frame-ancestors 'none'",
	"base-uri 'none'",
	"form-action 'self'",
	"worker-src 'self' blob:",
].join("; ");

const PAGE_HEADERS = {
	"content-security-policy": CONTENT_SECURITY_POLICY,
	"cross-origin-opener-policy": "same-origin",
	"cross-origin-resource-policy": "same-origin",
	"referrer-policy": "no-referrer",
	"x-content-type-options": "nosniff",
	"x-frame-options": "DENY",
	"cache-control": "no-cache",
};

const ASSET_HEADERS = {
	"content-security-policy": "default-src 'none'",
	"cross-origin-resource-policy": "same-origin",
	"x-content-type-options": "nosniff",
	"cache-control": "public, max-age=31536000, immutable",
};

const description = describeRoute({
	summary: "Get the name and version of the service, or the web app",
	responses: { 200: { "application/json": "ServiceName", "text/html": "text" } },
});

/** `GET /`: the web app for browsers, JSON for all others. `GET /assets/:file`: its files. Both are open. */
export function addWebRoutes(
	app: ServiceApp,
	webApp: PageFiles | undefined = findBuiltPage("web-app"),
): void {
	app.get("/", description, async (context) => {
		context.header("vary", "accept, accept-encoding");
		if (webApp === undefined || !wantsPage(context.req.header("accept")))
			return context.json({ name: "Stemma", version: STEMMA_VERSION });
		return respondWithPageFile(
			context,
			await webApp.readIndex(context.req.header("accept-encoding")),
			PAGE_HEADERS,
		);
	});

	app.get("/assets/:file", async (context) => {
		const file = await webApp?.readAsset(context.req.param("file"), context.req.header("accept-encoding"));
		if (file === undefined) throw assetNotFound();
		context.header("vary", "accept-encoding");
		return respondWithPageFile(context, file, ASSET_HEADERS);
	});
}

const assetNotFound = (): DomainError =>
	new DomainError("route_not_found", "The web app has no such file.", {
		hint: "The service may have been updated since the page was opened: reload the page.",
	});
