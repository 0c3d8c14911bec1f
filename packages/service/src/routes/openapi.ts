import { createServedDocument, listsEtag } from "@stemma/protocol";
import { allowCrossOrigin } from "../http/auth/authenticate";
import { describeRoute } from "../http/describe-route";
import type { ServiceApp, ServiceContext } from "../http/service-context";

/** The document is a file of its own in the build, which is loaded with the first request for it. */
const readDocument = createServedDocument(
	async () => (await import("../../../../docs/openapi.json")).default,
);

/** `GET /openapi.json`: what the service does, for programs. Open, and for any origin. */
export function addOpenApiRoute(app: ServiceApp): void {
	app.get(
		"/openapi.json",
		describeRoute({ summary: "Get this document", responses: { 200: "External", 304: {} } }),
		allowCrossOrigin(async (context: ServiceContext) => {
			const { text, etag } = await readDocument();
			const headers = { etag, "cache-control": "public, no-cache", "access-control-allow-origin": "*" };
			const known = context.req.header("if-none-match");
			if (known !== undefined && listsEtag(known, etag)) return context.body(null, 304, headers);
			return context.body(text, 200, { ...headers, "content-type": "application/json" });
		}),
	);
}
