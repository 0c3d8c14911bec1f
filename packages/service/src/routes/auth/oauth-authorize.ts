import { readPublicOrigin } from "../../http/auth/public-origin";
import { describeRoute } from "../../http/describe-route";
import type { ServiceApp, ServiceContext } from "../../http/service-context";

/** Parameters that the page for the decision reads. */
const PARAMETERS = [
	"client_id",
	"redirect_uri",
	"response_type",
	"code_challenge",
	"code_challenge_method",
	"scope",
	"state",
	"resource",
];

const description = describeRoute({
	summary: "Ask a person for access",
	responses: { 302: {}, 400: "External" },
	errorForm: "external",
});

/**
 * `GET /oauth/authorize`: leads a person to the page on which they decide about an app. It checks nothing and sends nobody
 * anywhere else: what is wrong, the page says. The app's parameters are in the fragment, with the origin by which the app
 * knows the service, as the page may be at another one of the machine.
 */
export function addAuthorizeRoute(app: ServiceApp): void {
	app.get("/oauth/authorize", description, (context) => {
		context.header("cache-control", "no-store");
		context.header("referrer-policy", "no-referrer");
		const query = readQuery(context);
		if (query === undefined)
			return context.json(
				{ error: "invalid_request", error_description: "A parameter occurs more than once." },
				400,
			);
		return context.redirect(`/#/authorize?${query}`, 302);
	});
}

function readQuery(context: ServiceContext): URLSearchParams | undefined {
	const { searchParams } = new URL(context.req.url);
	const query = new URLSearchParams();
	for (const name of PARAMETERS) {
		const [value, ...more] = searchParams.getAll(name);
		if (more.length > 0) return undefined;
		if (value !== undefined) query.set(name, value);
	}
	query.set("issuer", readPublicOrigin(context));
	return query;
}
