import { DomainError } from "../errors/domain-error";
import { describeRoute } from "../http/describe-route";
import { respondWithPageFile } from "../http/respond-with-page-file";
import type { ServiceApp } from "../http/service-context";
import { findBuiltPage, type PageFiles } from "../web-app/page-files";

/**
 * Policy of the page. `sandbox` without `allow-same-origin` gives it an origin of its own: browsers send none of the service's
 * cookies with its requests, and what it asked for all the same would be refused as a request of a foreign page. Its
 * components write styles into elements, so that inline styles are allowed; scripts are those of the build alone.
 */
const CONTENT_SECURITY_POLICY = [
	"default-src 'none'",
	"script-src 'self'",
	"style-src 'self' 'unsafe-inline'",
	"img-src 'self' data:",
	"connect-src 'self'",
	"frame-ancestors 'none'",
	"base-uri 'none'",
	"form-action 'none'",
	"sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox allow-downloads",
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
	// The origin of the page is none that could be named.
	"access-control-allow-origin": "*",
	"x-content-type-options": "nosniff",
	"cache-control": "public, max-age=31536000, immutable",
};

const description = describeRoute({
	summary: "Get the page that shows this document",
	responses: { 200: { "text/html": "text" } },
});

/** `GET /docs`: the API reference, a page that shows `/openapi.json`. `GET /docs/assets/:file`: its files. Both are open. */
export function addApiReferenceRoutes(
	app: ServiceApp,
	page: PageFiles | undefined = findBuiltPage("api-reference"),
): void {
	app.get("/docs", description, async (context) => {
		if (page === undefined) throw pageNotFound("This service was built without its API reference.");
		context.header("vary", "accept-encoding");
		return respondWithPageFile(
			context,
			await page.readIndex(context.req.header("accept-encoding")),
			PAGE_HEADERS,
		);
	});

	app.get("/docs/assets/:file", async (context) => {
		const file = await page?.readAsset(context.req.param("file"), context.req.header("accept-encoding"));
		if (file === undefined) throw pageNotFound("The API reference has no such file.");
		context.header("vary", "accept-encoding");
		return respondWithPageFile(context, file, ASSET_HEADERS);
	});
}

const pageNotFound = (message: string): DomainError =>
	new DomainError("route_not_found", message, {
		hint: "GET /openapi.json is the document itself. Reload the page if it was opened before an update of the service.",
	});
